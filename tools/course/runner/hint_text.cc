#include "tools/course/runner/hint_text.h"

#include <cstddef>
#include <sstream>

namespace andrea::course {
namespace {

constexpr const char* kSummary = "<summary>";

// "An explanation" of "<details><summary>An explanation</summary>".
std::string summary_of(const std::string& line) {
  const std::size_t begin = line.find(kSummary);
  if (begin == std::string::npos) return "";
  const std::size_t start = begin + std::string(kSummary).size();
  return line.substr(start, line.find("</summary>", start) - start);
}

// Where the text begins behind "2. " or the spaces that stand below that.
std::size_t behind_number(const std::string& line) {
  const std::size_t digits = line.find_first_not_of("0123456789");
  if (digits != std::string::npos && digits > 0 && line.compare(digits, 2, ". ") == 0) {
    return digits + 2;
  }
  return line.starts_with("   ") ? 3 : 0;
}

// Adds a line to paragraphs that are one line each; what is indented or fenced stays a line.
class Paragraphs {
 public:
  void add(const std::string& line) {
    if (line.starts_with("```")) {
      fenced_ = !fenced_;
      end_paragraph();
      return;
    }
    if (fenced_ || line.starts_with("    ")) {
      end_paragraph();
      text_ += "    " + line.substr(fenced_ ? 0 : 4) + '\n';
      return;
    }
    if (line.empty()) {
      if (in_paragraph_) text_ += '\n';
      in_paragraph_ = false;
      if (!text_.empty() && !text_.ends_with("\n\n")) text_ += '\n';
      return;
    }
    text_ += (in_paragraph_ ? " " : "") + line;
    in_paragraph_ = true;
  }

  std::string take() {
    end_paragraph();
    while (text_.ends_with('\n')) text_.pop_back();
    std::string result;
    result.swap(text_);
    fenced_ = false;
    return result;
  }

 private:
  void end_paragraph() {
    if (in_paragraph_) text_ += '\n';
    in_paragraph_ = false;
  }

  std::string text_;
  bool in_paragraph_ = false, fenced_ = false;
};

}  // namespace

std::vector<HintStage> hint_stages(const std::string& hints, const std::string& exercise) {
  std::vector<HintStage> stages;
  Paragraphs paragraphs;
  std::string title = "A question";
  const auto end_stage = [&] {
    std::string text = paragraphs.take();
    if (!text.empty()) stages.push_back({title, std::move(text)});
  };
  std::istringstream lines(hints);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.starts_with("## ")) {
      if (inside) break;
      inside = line == "## " + exercise || line.starts_with("## " + exercise + " ");
      continue;
    }
    if (!inside) continue;
    if (line.starts_with("<details")) {
      end_stage();
      title = summary_of(line);
    } else if (!line.starts_with("</details")) {
      paragraphs.add(line.substr(behind_number(line)));
    }
  }
  end_stage();
  return stages;
}

}  // namespace andrea::course
