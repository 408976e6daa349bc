// File: compiler_words.h
//
// The compiler's errors as the student should see them.

#ifndef ANDREA_TOOLS_COURSE_GRADER_MARKS_COMPILER_WORDS_H_
#define ANDREA_TOOLS_COURSE_GRADER_MARKS_COMPILER_WORDS_H_

#include <string>

namespace andrea::grader {

// The words without colours, without the folder of the submission ("graded/ada/lessons/..." is
// "lessons/..." for the student), and no more than the first lines of them.
std::string plain_compiler_words(const std::string& words);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_MARKS_COMPILER_WORDS_H_
