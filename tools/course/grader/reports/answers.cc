#include "tools/course/grader/reports/answers.h"

#include <set>
#include <sstream>

namespace andrea::grader {
namespace {

constexpr const char* kAnswer = "_Your answer:_";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

std::vector<std::string> questions_in(const std::string& stub) {
  std::vector<std::string> questions;
  std::istringstream stream(stub);
  std::string question;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("# ", 0) == 0) continue;
    if (line.rfind(kAnswer, 0) == 0) {
      question = trimmed(question);
      // What is said to all of them stands in front of the first one, a paragraph of its own.
      const std::size_t paragraph = question.find("\n\n");
      if (questions.empty() && paragraph != std::string::npos) {
        question = trimmed(question.substr(paragraph));
      }
      questions.push_back(question);
      question.clear();
    } else {
      question += line + "\n";
    }
  }
  return questions;
}

std::vector<std::string> answers_in(const std::string& text, const std::string& stub) {
  std::set<std::string> given;
  std::istringstream stub_stream(stub);
  for (std::string line; std::getline(stub_stream, line);) given.insert(trimmed(line));
  given.erase("");

  std::vector<std::string> answers(questions_in(stub).size());
  std::size_t markers = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(kAnswer, 0) == 0) {
      ++markers;
      line = line.substr(std::string(kAnswer).size());  // some write on the same line
    }
    if (markers == 0 || markers > answers.size() || given.count(trimmed(line)) > 0) continue;
    answers[markers - 1] += line + "\n";
  }
  for (std::string& answer : answers) answer = trimmed(answer);
  return answers;
}

std::string rubric_in(const std::string& notes) {
  std::istringstream stream(notes);
  std::string rubric;
  bool within = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("## ", 0) == 0) {
      within = line.rfind("## Rubric", 0) == 0;
    } else if (within) {
      rubric += line + "\n";
    }
  }
  return trimmed(rubric);
}

}  // namespace andrea::grader
