#include "tests/harness/exercise/together.h"

#include <map>

#include "tests/harness/exercise/course_runner.h"
#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/outcome.h"
#include "tests/harness/exercise/pattern.h"
#include "tests/harness/exercise/picture.h"
#include "tests/harness/seed.h"

namespace andrea {
namespace {

// Which lesson writes an operation, and where it calls other lessons' kernels: the first and the
// last whose together_test has some of these.
struct Place {
  std::string lesson, first_called{}, last_called{};
};

const std::map<std::string, Place> kPlaces = {
    {"embedding", {"01"}},     {"dot_similarity", {"02"}},
    {"attention", {"03"}},     {"layer_norm", {"04"}},
    {"linear", {"05"}},        {"activation", {"05"}},
    {"residual", {"06"}},      {"block", {"06", "03", "05"}},
    {"cross_entropy", {"07"}}, {"transformer", {"07", "01", "06"}},
    {"global_norm", {"07"}},   {"adamw", {"07"}},
};

// How a person runs a lesson's test: "./andrea check 05.kernel", "the kernel_test of lesson 05".
std::string how_to_run(const std::string& test, const std::string& lesson) {
  return message("together." + test + (in_course_runner() ? "_of_runner" : ""),
                 {{"lesson", lesson}});
}

// Where to look for what an operation of the student's has written.
std::string where_to_look(const std::string& tensor, const std::string& operation,
                          const std::string& function) {
  const Place& place = kPlaces.at(operation);
  std::map<std::string, std::string> words = {
      {"tensor", tensor},
      {"function", function},
      {"kernel_test", how_to_run("kernel_test", place.lesson)}};
  if (place.first_called.empty()) return message("together.yours", words);
  words["first"] = how_to_run("together_test", place.first_called);
  words["last"] = how_to_run("together_test", place.last_called);
  return message("together.yours_of_many", words);
}

// "embedded, qkv, attended"; of a long list the last ones.
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  std::string list =
      names.size() > kMost ? "... (" + std::to_string(names.size()) + " in all)" : "";
  for (std::size_t i = names.size() > kMost ? names.size() - kMost + 1 : 0; i < names.size(); ++i) {
    list += (list.empty() ? "" : ", ") + names[i];
  }
  return list;
}

}  // namespace

void Chain::step(const std::string& operation, const std::string& function,
                 std::size_t scratch_bytes, const std::function<void(const Launch&)>& work) {
  operation_ = operation;
  function_ = function;
  trial_.run(work, scratch_bytes);
}

void Chain::note(const std::string& tensor) {
  const Failure failure = trial_.failure();
  if (failure.kind == Failure::none) {
    agreeing_.push_back(tensor);
  } else if (first_function_.empty()) {
    first_operation_ = operation_;
    first_function_ = function_;
  }
}

std::string Chain::verdict() const {
  const Failure failure = trial_.failure();
  const std::string before = agreeing_.empty()
                                 ? message("together.nothing_before")
                                 : message("together.agreeing", {{"tensors", list_of(agreeing_)}});
  if (failure.kind == Failure::none) return "";
  if (failure.kind != Failure::wrong_numbers) {
    const std::string where =
        message("together.fault", {{"function", first_function_}, {"before", before}});
    return (failure.kind == Failure::report ? "\n" : "\n" + failure.text + "\n") + where + "\n";
  }
  const Tensor& tensor = failure.tensor;
  const std::string text =
      "\n" +
      message("together.departs", {{"tensor", tensor.name},
                                   {"sizes", sizes_of(tensor.axes)},
                                   {"wrong", std::to_string(tensor.wrong_count())},
                                   {"count", std::to_string(tensor.actual.size())},
                                   {"before", before}}) +
      "\n\n" + picture_of(tensor) + pattern_line(tensor);
  const std::string where =
      own_.count(first_operation_) > 0
          ? where_to_look(tensor.name, first_operation_, first_function_)
          : message("together.not_yours", {{"tensor", tensor.name}, {"function", first_function_}});
  return text + where + "\n";
}

::testing::AssertionResult together(const std::set<std::string>& own,
                                    const std::vector<std::string>& names,
                                    const std::vector<std::vector<int>>& sizes,
                                    const std::function<void(Chain&)>& body) {
  const std::uint64_t seed = test_seed();  // chosen here, so that both processes know it
  const Outcome outcome = outcome_of([&]() -> std::string {
    for (const std::vector<int>& each : sizes) {
      Trial trial("together", names, each);
      Chain chain(trial, own);
      body(chain);
      const std::string verdict = chain.verdict();
      if (!verdict.empty()) return verdict;
    }
    return "";
  });
  if (outcome.well) return ::testing::AssertionSuccess();
  const std::string where = outcome.mistake == "report" ? outcome.verdict + "\n" : "";
  ::testing::Test::RecordProperty("seed", std::to_string(seed));
  if (in_course_runner()) return ::testing::AssertionFailure() << outcome.told << where;
  return ::testing::AssertionFailure()
         << outcome.told << where
         << message("harness.same_numbers", {{"seed", std::to_string(seed)}}) << "\n";
}

}  // namespace andrea
