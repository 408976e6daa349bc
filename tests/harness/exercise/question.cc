#include "tests/harness/exercise/question.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lessons/worksheet.h"
#include "tests/harness/callee.h"
#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/number_text.h"
#include "tests/harness/exercise/the_course.h"
#include "tests/harness/exercise/wrapped.h"
#include "tests/harness/seed.h"

namespace andrea {
namespace {

std::string text_of(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  }
  return text + "]";
}

}  // namespace

Question::Question(std::string id) : id_(std::move(id)), generator_(test_seed()) {}

std::int64_t Question::random(std::int64_t lowest, std::int64_t highest) {
  return std::uniform_int_distribution<std::int64_t>(lowest, highest)(generator_);
}

bool Question::answered(bool is, const std::string& given) {
  if (!told_.empty()) return false;  // one cause at a time
  if (is) return true;
  mistake_ = "unsolved";
  const std::string text = std::string("harness.unanswered") + (name_.empty() ? "" : "_name") +
                           (given.empty() ? "" : "_for");
  told_ =
      message(text, {{"name", name_}, {"given", given}, {"file", file_of(id_)}, {"exercise", id_}});
  return false;
}

void Question::wrong(const std::string& given, const std::string& answer) {
  told_ = message(given.empty() ? "harness.wrong_answer" : "harness.wrong_answer_for",
                  {{"given", given}, {"answer", answer}});
}

// The sentence is asked for even where it does not apply, so that the solution's test finds a
// missing one.
bool Question::slip(const std::string& given, const std::string& name, bool is) {
  const std::string sentence = message(id_ + "." + name);
  if (!is || !told_.empty()) return false;
  mistake_ = name;
  told_ = (given.empty() ? "" : given + ": ") + sentence;
  return true;
}

void Question::number(const std::string& given, std::int64_t answer, std::int64_t right,
                      const Slips<std::int64_t>& slips) {
  if (!answered(answer != worksheet::kUnanswered, given)) return;
  for (const auto& [name, value] : slips) slip(given, name, answer == value && value != right);
  if (answer != right && told_.empty()) wrong(given, std::to_string(answer));
}

void Question::real(const std::string& given, double answer, double right, double tolerance,
                    const Slips<double>& slips) {
  const auto near = [&](double a, double b) {
    return std::abs(a - b) <= tolerance * std::max(1e-12, std::abs(b));
  };
  compare(given, answer, right, near, slips);
}

void Question::real_near(const std::string& given, double answer, double right, double distance,
                         const Slips<double>& slips) {
  const auto near = [&](double a, double b) { return std::abs(a - b) <= distance; };
  compare(given, answer, right, near, slips);
}

void Question::compare(const std::string& given, double answer, double right,
                       const std::function<bool(double, double)>& near,
                       const Slips<double>& slips) {
  if (!answered(answer != worksheet::kUnansweredReal, given)) return;
  for (const auto& [name, value] : slips)
    slip(given, name, near(answer, value) && !near(value, right));
  if (!near(answer, right) && told_.empty()) wrong(given, number_text(answer, 6));
}

void Question::shape(const std::string& given, const std::vector<std::int64_t>& answer,
                     const std::vector<std::int64_t>& right,
                     const Slips<std::vector<std::int64_t>>& slips) {
  const bool is =
      !answer.empty() && std::count(answer.begin(), answer.end(), worksheet::kUnanswered) == 0;
  if (!answered(is, given)) return;
  for (const auto& [name, value] : slips) slip(given, name, answer == value && value != right);
  if (answer != right && told_.empty()) wrong(given, text_of(answer));
}

void Question::choice(char answer, char right, const std::string& wrong_ones) {
  if (!answered(answer != worksheet::kNoChoice)) return;
  for (const char one : wrong_ones) slip("", std::string(1, one), answer == one);
  if (answer != right && told_.empty()) wrong("", std::string("'") + answer + "'");
}

void Question::call_failed(const std::string& text) {
  if (!told_.empty()) return;
  told_ = text;
  mistake_ = "no_answer";
}

void Question::prediction(double answer, double measured) {
  if (!answered(answer != worksheet::kUnansweredReal)) return;
  remark_ = message(id_ + ".measured", {{"predicted", number_text(answer, 6)},
                                        {"measured", number_text(measured, 6)}});
}

::testing::AssertionResult question(const std::string& id,
                                    const std::function<void(Question&)>& body) {
  ::testing::Test::RecordProperty("exercise", id);
  Question it(id);
  try {
    body(it);
  } catch (const CallFailed& failed) {
    it.call_failed(failed.what());
  }
  if (!it.remark().empty()) ::testing::Test::RecordProperty("remark", it.remark());
  if (it.told().empty()) return ::testing::AssertionSuccess();
  if (!it.mistake().empty()) ::testing::Test::RecordProperty("mistake", it.mistake());
  return ::testing::AssertionFailure()
         << wrapped(it.told()) << "\n\n"
         << message("harness.hints", {{"hints", hints_of(id)}, {"exercise", id}}) << "\n";
}

}  // namespace andrea
