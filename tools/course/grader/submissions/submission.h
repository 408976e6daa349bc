// File: submission.h
//
// The submissions of a class: every folder, archive and git repository in one folder.

#ifndef ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_SUBMISSION_H_
#define ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_SUBMISSION_H_

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/course/grader/submissions/wanted.h"

namespace andrea::grader {

struct Submission {
  std::string name;  // of its folder or archive, which is all that is known of the student
  std::string id;    // the same, fit for a file's name and Bazel's: letters, digits, - and _
  std::map<std::string, std::string> files;  // "lessons/00_first_kernel/kernel.cu": its text
  std::vector<std::string> remarks;          // sentences about what could not be taken
};

struct Submissions {
  std::vector<Submission> all;        // by name
  std::vector<std::string> left_out;  // entries of the folder that are no submissions
};

// Throws Error where the folder is not there, is itself a submission, or holds none.
Submissions read_submissions(const std::filesystem::path& folder, const Wanted& wanted);

// "Łukasz O'Hara" becomes "_ukasz_O_Hara-0123abcd": what had to be changed is told apart by a hash.
std::string id_of(const std::string& name);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_SUBMISSION_H_
