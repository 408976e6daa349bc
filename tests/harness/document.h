// File: document.h
//
// A page of Markdown, for tests that its numbers are what the code computes:
//
//   const Document page("docs/gradients.md");
//   EXPECT_TRUE(page.has_row({"2", text_of(dtable.row(2))}));   // "| 2 | 0.5, -1 |"
//
// The page must be among the test's `data`.

#ifndef ANDREA_TESTS_HARNESS_DOCUMENT_H_
#define ANDREA_TESTS_HARNESS_DOCUMENT_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace andrea {

// As a page writes a number: up to `digits` significant digits.
inline std::string text_of_number(double number, int digits = 4) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, number == 0 ? 0.0 : number);
  return text;
}

// "0.5, -1": the numbers of a row or vector.
template <typename Row>
std::string text_of(const Row& row, int digits = 4) {
  std::string text;
  for (const auto number : row) {
    text += (text.empty() ? "" : ", ") + text_of_number(static_cast<double>(number), digits);
  }
  return text;
}

// "6,488,832"
inline std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, ",");
  return text;
}

class Document {
 public:
  // Throws std::runtime_error where the test has no such file.
  explicit Document(std::string path) : path_(std::move(path)) {
    std::ifstream file(path_);
    if (!file) throw std::runtime_error("no " + path_ + " among the test's data");
    std::ostringstream text;
    text << file.rdbuf();
    text_ = text.str();
  }

  // That the text stands in the page.
  ::testing::AssertionResult has(const std::string& text) const {
    if (text_.find(text) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << path_ << " lacks: " << text;
  }

  // That a table of the page has this row.
  ::testing::AssertionResult has_row(const std::vector<std::string>& cells) const {
    std::string row = "|";
    for (const std::string& cell : cells) row += " " + cell + " |";
    return has("\n" + row + "\n");
  }

 private:
  std::string path_;
  std::string text_;
};

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_DOCUMENT_H_
