#include "tests/mutants/score.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

namespace andrea::mutants {
namespace {

constexpr int kLeastWritten = 5;

bool is_listed(const Result& result, const std::vector<Equivalent>& equivalents) {
  return std::any_of(equivalents.begin(), equivalents.end(), [&](const Equivalent& one) {
    return one.exercise == result.exercise && one.name == result.name;
  });
}

bool is_dead(const Result& mechanical) { return !mechanical.compiled() || mechanical.killed(); }

// Whether the mistake is a sentence of the lesson, which claims to know what is wrong.
bool is_sentence(const std::string& mistake) {
  return !mistake.empty() && mistake != "report" && mistake != "unsolved" && mistake != "crash";
}

std::string said_by(const Verdict& verdict) {
  if (verdict.mistake.empty()) return "no sentence fits";
  if (verdict.mistake == "report") return "the simulator reports a fault";
  return "the test says '" + verdict.mistake + "'";
}

// Empty where the mutant fares as it should.
std::string fault_of(const Result& written) {
  const std::string who = written.exercise + " " + written.name + ": ";
  if (!written.compiled()) return who + "it does not compile.\n" + written.verdicts.front().told;
  for (const Verdict& verdict : written.verdicts) {
    if (verdict.kind == Verdict::survived) return who + "it survives.";
    const bool is_wrong =
        written.expected == Expected::any
            ? is_sentence(verdict.mistake) && verdict.mistake != written.name
            : verdict.mistake != (written.expected == Expected::report ? "report" : written.name);
    if (is_wrong) return who + said_by(verdict) + ".\n" + verdict.told;
  }
  return "";
}

using Row = std::array<std::string, 6>;
const Row kHead = {"exercise",          "written killed", "named",
                   "mechanical killed", "not compiling",  "equivalent"};

Row row_of(const Score& score) {
  const auto of = [](int part, int all) {
    return std::to_string(part) + " of " + std::to_string(all);
  };
  return {score.exercise,
          of(score.written_killed, score.written),
          of(score.named, score.written),
          of(score.mechanical_killed, score.mechanical),
          std::to_string(score.not_compiled),
          std::to_string(score.equivalent)};
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

// The counts of one exercise.
class Confusion {
 public:
  void add(const Result& result) {
    const std::string row = !result.is_written()                  ? kMechanical
                            : result.expected == Expected::report ? kReport
                            : result.expected == Expected::any    ? kAny
                                                                  : result.name;
    if (is_sentence_row(row)) note(row);
    for (const Verdict& verdict : result.verdicts) {
      // Of a mechanical mutant the last run counts.
      if (!result.is_written() && &verdict != &result.verdicts.back()) continue;
      if (verdict.kind == Verdict::not_compiled) continue;
      const std::string column = verdict.kind == Verdict::survived ? kNothing
                                 : is_sentence(verdict.mistake)    ? verdict.mistake
                                 : verdict.mistake == "report"     ? kReport
                                                                   : kNoSentence;
      if (is_sentence_row(column)) note(column);
      ++counts_[row][column];
    }
  }

  std::string text(const std::string& exercise) const {
    std::size_t width = kWidest.size();
    for (const std::string& name : sentences_) width = std::max(width, name.size());
    std::vector<std::pair<std::string, std::string>> columns;  // what it is, its head
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
      columns.emplace_back(sentences_[i], std::string(1, static_cast<char>('a' + i)));
    }
    for (const std::string& other : {kReport, kNoSentence, kNothing}) {
      columns.emplace_back(other, other);
    }
    std::string text = padded(exercise, width + 6);
    for (const auto& [name, head] : columns)
      text += padded(head, head.size() < 4 ? 4 : head.size() + 2);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
      text +=
          row_text("  " + columns[i].second + " " + sentences_[i], sentences_[i], width, columns);
    }
    for (const std::string& other : {kReport, kAny, kMechanical}) {
      text += row_text("    " + other, other, width, columns);
    }
    return text;
  }

 private:
  static inline const std::string kMechanical = "(mechanical)", kReport = "report", kAny = "(any)",
                                  kNoSentence = "other", kNothing = "survived",
                                  kWidest = kMechanical;

  static bool is_sentence_row(const std::string& name) {
    return name != kMechanical && name != kReport && name != kAny && name != kNoSentence &&
           name != kNothing;
  }

  void note(const std::string& sentence) {
    if (std::find(sentences_.begin(), sentences_.end(), sentence) == sentences_.end()) {
      sentences_.push_back(sentence);
    }
  }

  std::string row_text(const std::string& head, const std::string& row, std::size_t width,
                       const std::vector<std::pair<std::string, std::string>>& columns) const {
    const auto counts = counts_.find(row);
    if (counts == counts_.end()) return "";
    std::string text = padded(head, width + 6);
    for (const auto& [name, title] : columns) {
      const auto count = counts->second.find(name);
      text += padded(count == counts->second.end() ? "." : std::to_string(count->second),
                     title.size() < 4 ? 4 : title.size() + 2);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
  }

  std::vector<std::string> sentences_;
  std::map<std::string, std::map<std::string, int>> counts_;
};

}  // namespace

std::vector<Score> scores_of(const std::vector<std::string>& exercises,
                             const std::vector<Result>& results,
                             const std::vector<Equivalent>& equivalents) {
  std::vector<Score> scores;
  for (const std::string& exercise : exercises) {
    Score score{exercise};
    for (const Result& result : results) {
      if (result.exercise != exercise) continue;
      if (result.is_written()) {
        ++score.written;
        score.written_killed += result.compiled() && result.killed();
        score.named += result.compiled() && result.named();
      } else {
        ++score.mechanical;
        score.mechanical_killed += is_dead(result);
        score.not_compiled += !result.compiled();
        score.equivalent += is_listed(result, equivalents);
      }
    }
    scores.push_back(score);
  }
  return scores;
}

std::vector<std::string> faults_of(const std::vector<std::string>& exercises,
                                   const std::vector<Result>& results,
                                   const std::vector<Equivalent>& equivalents) {
  std::vector<std::string> faults;
  for (const Result& result : results) {
    const std::string who = result.exercise + " " + result.name + ": ";
    if (result.is_written()) {
      const std::string fault = fault_of(result);
      if (!fault.empty()) faults.push_back(fault);
    } else if (!is_dead(result) && !is_listed(result, equivalents)) {
      faults.push_back(who + "it survives.");
    } else if (is_dead(result) && is_listed(result, equivalents)) {
      faults.push_back(who + "it is killed, and so not equivalent.");
    }
  }
  for (const Equivalent& one : equivalents) {
    const bool is_tried =
        std::find(exercises.begin(), exercises.end(), one.exercise) != exercises.end();
    const bool exists = std::any_of(results.begin(), results.end(), [&](const Result& result) {
      return !result.is_written() && result.exercise == one.exercise && result.name == one.name;
    });
    if (is_tried && !exists) {
      faults.push_back(one.exercise + " " + one.name + ": it is listed, and there is none such.");
    }
  }
  for (const Score& score : scores_of(exercises, results, equivalents)) {
    if (score.written < kLeastWritten) {
      faults.push_back(score.exercise + ": it has " + std::to_string(score.written) +
                       " written mutants; at least " + std::to_string(kLeastWritten) +
                       " are asked for.");
    }
    if (3 * score.named < 2 * score.written) {
      faults.push_back(score.exercise + ": less than two thirds of the written mutants are named.");
    }
  }
  return faults;
}

std::string table_of(const std::vector<Score>& scores) {
  std::vector<Row> rows = {kHead};
  for (const Score& score : scores) rows.push_back(row_of(score));
  std::array<std::size_t, std::tuple_size_v<Row>> widths = {};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += padded(row[i], widths[i] + 3);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

std::string markdown_of(const std::vector<Score>& scores) {
  std::string text;
  const auto add = [&](const Row& row) {
    for (const std::string& cell : row) text += "| " + cell + " ";
    text += "|\n";
  };
  add(kHead);
  for (std::size_t i = 0; i < kHead.size(); ++i) text += "|---";
  text += "|\n";
  for (const Score& score : scores) add(row_of(score));
  return text;
}

std::string confusion_of(const std::vector<std::string>& exercises,
                         const std::vector<Result>& results) {
  std::string text;
  for (const std::string& exercise : exercises) {
    Confusion confusion;
    for (const Result& result : results) {
      if (result.exercise == exercise) confusion.add(result);
    }
    text += confusion.text(exercise);
  }
  return text;
}

}  // namespace andrea::mutants
