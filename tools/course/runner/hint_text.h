// File: hint_text.h
//
// The stages of an exercise's hint, out of the lesson's hints.md:
//
//     ## 02.1 Dot products, a thread a pair
//
//     1. A question.
//
//     <details><summary>An explanation</summary>
//
//     2. More.
//
//     </details>

#ifndef ANDREA_TOOLS_COURSE_RUNNER_HINT_TEXT_H_
#define ANDREA_TOOLS_COURSE_RUNNER_HINT_TEXT_H_

#include <string>
#include <vector>

namespace andrea::course {

struct HintStage {
  std::string title;  // "An explanation"; of the first "A question"
  std::string text;   // a line a paragraph, without the number in front
};

// Empty where the file has no such exercise.
std::vector<HintStage> hint_stages(const std::string& hints, const std::string& exercise);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_HINT_TEXT_H_
