// File: source_look.h
//
// What the text of a student's source tells before it is compiled for the judge: words that an
// object no longer shows. Each finding is a sentence: "further.cu:12 has inline assembly ('asm'),
// which no exercise needs."

#ifndef ANDREA_TOOLS_COURSE_JUDGE_SOURCE_LOOK_H_
#define ANDREA_TOOLS_COURSE_JUDGE_SOURCE_LOOK_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace andrea::judge {

// The file as the student has written it: its preprocessor lines. `file`: how it is called.
// `headers`: the paths that #include "..." may name. A macro of a reserved name, a line that says
// that it is another file's, a pragma of the compiler's options, a header that no exercise needs, a
// spelling that the compiler could read otherwise (spelling_look.h).
std::vector<std::string> look_at_source(std::string_view source, const std::string& file,
                                        const std::set<std::string>& headers);

// A worksheet, whose text is all that is looked at: the same, and inline assembly and ## as well.
std::vector<std::string> look_at_worksheet(std::string_view text, const std::string& file,
                                           const std::set<std::string>& headers);

// The same after the preprocessor, with the markers of files and lines that it leaves; only what is
// the file's own is looked at, macros of other files included. Inline assembly, functions of the
// machine, attributes that move, hide or leave unwatched what they are put on; and the files that
// the preprocessor has read, however it came to them.
std::vector<std::string> look_at_preprocessed(std::string_view text, const std::string& file);

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_SOURCE_LOOK_H_
