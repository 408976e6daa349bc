// File: edition.h
//
// The student edition: the tree without what tells the answers. It is made in memory and looked
// through before a file of it is written, so that an edition that would tell something, or would
// not build, never comes to be.

#ifndef ANDREA_TOOLS_COURSE_EDITION_H_
#define ANDREA_TOOLS_COURSE_EDITION_H_

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace andrea::course {

// What the edition does not have: folders, which end in '/', and files of these names wherever they
// are. Whatever builds with one of them lies in one of them.
inline const std::vector<std::string> kLeftOut = {
    "solutions/",            // the answers, and the tests that need them
    "exam/",                 // but for the one that is handed out
    "tests/course_runner/",  // the runner on a lesson whose answers it reads
    "tests/mutants/",        // typical mistakes, as edits of the answers
    "tests/own_model/",      // the solutions' whole model
    "docs/instructor/",      // pages, and the tests of them
    "tests/grading/",        // a class that never was
    "tools/course/judge/",   // who judges submissions
    "tools/course/grader/",
    "graded.bzl",
    "grading.md",
    "judge.bzl",
    "look.bzl",
    ".ci/",
    "NOTES.md",
};

// Where it lies in the tree, and what it is called in the edition.
inline constexpr char kAssistantsPolicy[] = "docs/instructor/AGENTS.md";
inline constexpr char kAssistantsPolicyThere[] = "AGENTS.md";

using Files = std::map<std::string, std::string>;  // their contents by their paths

// The edition of a tree, given as all that belongs to it. `exam`: "03", to have exam/x03_... with
// it; empty for none. Exercises are what their solutions yield, whatever stands in lessons/, and a
// copy of each lies in tools/course/stubs, for `./andrea reset`. A
// paragraph, list item or row of a table in a Markdown file that names a folder or a page that is
// left out is left out too, and with the last of a section its heading. Throws std::runtime_error,
// with a sentence, where the tree has no solutions, no such exam or no policy.
Files edition_of(const Files& tree, const std::string& exam);

// Sentences about what is wrong with an edition; empty where all is well:
// - a file has a part of an answer: five lines of a marked region one behind the other, or the
//   whole of a shorter one of at least three. Hints may be nearly the answer (hints.md);
// - a file has a mark of a solution;
// - a BUILD file names a package that is not there;
// - a Markdown file links to what is not there.
std::vector<std::string> faults_of_edition(const Files& edition, const Files& tree);

// What git tracks in the folder, as it stands there now. Throws std::runtime_error where that is no
// checkout.
Files tracked_files(const std::filesystem::path& root);

// Writes the edition into `to`, which must lie outside the tree and be empty or not exist, and
// returns how many files it has. Throws std::runtime_error, with a sentence, before anything is
// written: also for faults.
std::size_t export_edition(const std::filesystem::path& root, const std::filesystem::path& to,
                           const std::string& exam);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_EDITION_H_
