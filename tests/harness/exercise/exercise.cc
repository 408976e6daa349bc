#include "tests/harness/exercise/exercise.h"

#include <algorithm>

#include "tests/harness/callee.h"
#include "tests/harness/exercise/course_runner.h"
#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/number_text.h"
#include "tests/harness/exercise/outcome.h"
#include "tests/harness/exercise/pattern.h"
#include "tests/harness/exercise/picture.h"
#include "tests/harness/exercise/profile_log.h"
#include "tests/harness/exercise/silence.h"
#include "tests/harness/exercise/suspects.h"
#include "tests/harness/exercise/the_course.h"
#include "tests/harness/exercise/wrapped.h"
#include "tests/harness/marked_nan.h"
#include "tests/harness/seed.h"

namespace andrea {
namespace {

// "a, b, c"; of a long list the first ones.
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    list += (i > 0 ? ", " : "") + names[i];
  }
  if (names.size() > kMost) list += ", ... (" + std::to_string(names.size()) + " in all)";
  return list;
}

// Which of the other outputs are wrong, and which are right.
std::string others_of(const Failure& failure) {
  std::string text;
  if (!failure.wrong_besides.empty()) {
    text += message("harness.wrong_besides", {{"names", list_of(failure.wrong_besides)}}) + "\n";
  }
  if (!failure.right.empty()) {
    text += message("harness.right", {{"names", list_of(failure.right)}}) + "\n";
  }
  return text;
}

// What can be done where nothing is seen in the numbers: find the first step that differs.
std::string by_hand(const Failure& failure) {
  // A factor or a place shows in three numbers at least.
  const bool shows = failure.tensor.actual.size() >= 3;
  std::string text =
      kUnlessNoted + message(shows ? "harness.no_pattern" : "harness.too_few_numbers") + "\n";
  if (failure.inputs.empty()) return text + message("harness.step_by_step") + "\n";
  text += message("harness.by_hand", {{"place", first_wrong_place(failure.tensor)}}) + "\n";
  for (const auto& [name, numbers] : failure.inputs) {
    text += "  " + name + ":";
    for (const double number : numbers) text += " " + number_text(number, 7);
    text += "\n";
  }
  return text;
}

class Examination {
 public:
  Examination(const std::string& id, const std::vector<std::string>& names,
              const std::function<void(Trial&)>& body)
      : id_(id), names_(names), body_(body) {}

  // The verdict, in two parts: a line with the mistake's name, if there is one, and what is told.
  // Empty where all is well, or kWell and what was left out. With `thorough`, further sizes are
  // tried after a failure, to know the mistake and the smallest sizes that show it. They may end
  // the process.
  std::string verdict(const std::vector<std::vector<int>>& sizes, bool thorough) {
    bool left_out = false;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      Trial trial = tried(sizes[i]);
      const Failure failure = trial.failure();
      left_out = left_out || trial.left_out();
      if (failure.kind == Failure::none) continue;
      if (failure.kind != Failure::wrong_numbers) {
        return failure.mistake + "\n" + failure.text + "\n";
      }
      if (!thorough) {
        return trial.mistakes().empty() && trial.untouched()
                   ? not_begun(failure.tensor)
                   : wrong_numbers(failure, failure, Suspects(trial.mistakes()).verdict());
      }
      const Finding found = look_further(trial, sizes, i);
      if (found.suspect.mistake.empty() && !found.has_begun) return not_begun(failure.tensor);
      if (!is_over_) (void)tried(found.sizes);  // once more, for what the code prints
      return wrong_numbers(found.shown, found.widest, found.suspect);
    }
    return left_out ? kWell + message("harness.not_counted") : "";
  }

 private:
  // What further runs tell of wrong numbers.
  struct Finding {
    Suspects::Verdict suspect;
    bool has_begun;          // something was computed in some case
    Failure widest;          // of the largest case
    Failure shown;           // of the smallest
    std::vector<int> sizes;  // of that one
  };

  // `trial` failed with sizes[first], the first that did.
  Finding look_further(const Trial& trial, const std::vector<std::vector<int>>& sizes,
                       std::size_t first) {
    const Silence silence;  // a report of larger sizes would hide what is known of small ones
    const Failure failure = trial.failure();
    Suspects suspects(trial.mistakes());
    Suspects of_output(trial.mistakes_of_told());  // where another output hides the mistake
    // A sum over less than all is 0 where there is one term.
    Finding found{{}, !trial.untouched(), failure, failure, sizes[first]};
    for (std::size_t i = first + 1; i < sizes.size() && !is_over_; ++i) {
      const Trial other = tried(sizes[i]);
      const Failure others = other.failure();
      if (others.kind == Failure::none) continue;
      if (others.kind != Failure::wrong_numbers) break;
      found.has_begun = found.has_begun || !other.untouched();
      suspects.see(other.mistakes());
      of_output.see(others.tensor.name == failure.tensor.name ? other.mistakes_of_told()
                                                              : std::vector<std::string>());
      found.widest = others;
    }
    found.suspect = suspects.verdict();
    if (found.suspect.mistake.empty()) found.suspect = {of_output.verdict().mistake, false};
    if (!found.suspect.of_all && !trial.shows_in_numbers(found.suspect.mistake)) found.suspect = {};
    make_smaller(found);
    return found;
  }

  Trial tried(const std::vector<int>& sizes) {
    Trial trial(id_, names_, sizes);
    begin_printing_of(trial.sizes_text());
    try {
      body_(trial);
    } catch (const ImpossibleSizes&) {
    } catch (const CallFailed& failed) {
      trial.call_failed(failed.what());
    }
    const Failure::Kind kind = trial.failure().kind;
    is_over_ = kind == Failure::report || kind == Failure::cuda_error || kind == Failure::no_answer;
    return trial;
  }

  std::string not_begun(const Tensor& output) const {
    const std::string name = is_unwritten(output) ? "harness.never_written"
                             : is_zero(output)    ? "harness.all_zero"
                                                  : "harness.unchanged";
    return "unsolved\n" +
           message(name, {{"output", output.name}, {"file", file_of(id_)}, {"exercise", id_}}) +
           "\n";
  }

  static bool is_unwritten(const Tensor& tensor) {
    return std::all_of(tensor.actual.begin(), tensor.actual.end(), is_never_written);
  }

  static bool is_zero(const Tensor& tensor) {
    return std::all_of(tensor.actual.begin(), tensor.actual.end(),
                       [](float number) { return number == 0; });
  }

  // Looks for smaller sizes that show wrong numbers, of the mistake if one is named.
  void make_smaller(Finding& found) {
    for (std::size_t i = 0; i < found.sizes.size(); ++i) {
      for (const int less : {1, 2, 3, 5, 9, 17, 33}) {
        if (less >= found.sizes[i] || is_over_) break;
        std::vector<int> smaller = found.sizes;
        smaller[i] = less;
        const Trial trial = tried(smaller);
        const Failure failure = trial.failure();
        if (failure.kind != Failure::wrong_numbers || !explains(found.suspect, trial)) continue;
        found.sizes = smaller;
        found.shown = failure;
        break;
      }
    }
  }

  static bool explains(const Suspects::Verdict& suspect, const Trial& trial) {
    if (suspect.mistake.empty()) return true;
    const std::vector<std::string> known =
        suspect.of_all ? trial.mistakes() : trial.mistakes_of_told();
    return std::find(known.begin(), known.end(), suspect.mistake) != known.end();
  }

  std::string wrong_numbers(const Failure& failure, const Failure& widest,
                            const Suspects::Verdict& suspect) const {
    const Tensor& tensor = failure.tensor;
    const std::size_t count = tensor.actual.size();
    std::string text = suspect.mistake + "\n";
    text += message(count == 1 ? "harness.wrong_one" : "harness.wrong",
                    {{"output", tensor.name},
                     {"sizes", sizes_of(tensor.axes)},
                     {"wrong", std::to_string(tensor.wrong_count())},
                     {"count", std::to_string(count)}}) +
            " " + message("harness.case", {{"sizes", failure.sizes}}) + "\n\n" + picture_of(tensor);
    if (!suspect.mistake.empty()) {
      text +=
          message("harness.looks_like", {{"mistake", message(id_ + "." + suspect.mistake)}}) + "\n";
      if (suspect.of_all) return text;
      return text + message("harness.of_some", {{"output", tensor.name}}) + "\n";
    }
    text += others_of(failure) + kPlaceOfNote;
    // Of the numbers that are shown; and of a larger case, where it says something else.
    std::string pattern = pattern_line(tensor);
    if (widest.sizes != failure.sizes && widest.tensor.name == tensor.name &&
        pattern_line(widest.tensor) != pattern) {
      pattern += pattern_line(widest.tensor, false);
    }
    return text + (pattern.empty() ? by_hand(failure) : pattern);
  }

  const std::string& id_;
  const std::vector<std::string>& names_;
  const std::function<void(Trial&)>& body_;
  bool is_over_ = false;  // after a fault of a kernel CUDA does nothing more
};

// Both kinds of test; `advice` and `alone` are what the text of a failure ends with.
::testing::AssertionResult examined(const std::string& id, const std::vector<std::string>& names,
                                    const std::vector<std::vector<int>>& all_sizes,
                                    const std::function<void(Trial&)>& body,
                                    const std::string& advice, const std::string& alone) {
  const std::uint64_t seed = test_seed();  // chosen here, so that both processes know it
  const std::vector<std::vector<int>> sizes = sizes_to_run(names, all_sizes);
  const auto outcome_with = [&](bool thorough) {
    return outcome_of([&] { return Examination(id, names, body).verdict(sizes, thorough); });
  };
  Outcome outcome = outcome_with(false);
  if (!outcome.well && outcome.answered && outcome.mistake != "report" &&
      outcome.mistake != "no_answer") {
    const Outcome thorough = outcome_with(true);
    if (thorough.answered && !thorough.well) outcome = thorough;
  }
  if (!outcome.remark.empty()) ::testing::Test::RecordProperty("remark", outcome.remark);
  if (outcome.well) return ::testing::AssertionSuccess();
  if (!outcome.mistake.empty()) ::testing::Test::RecordProperty("mistake", outcome.mistake);
  ::testing::Test::RecordProperty("seed", std::to_string(seed));
  // The runner has its own words for these.
  if (in_course_runner()) return ::testing::AssertionFailure() << outcome.told << advice;
  return ::testing::AssertionFailure()
         << outcome.told << wrapped(advice)
         << message("harness.same_numbers", {{"seed", std::to_string(seed)}}) << "\n"
         << alone;
}

}  // namespace

::testing::AssertionResult exercise(const std::string& id, const std::vector<std::string>& names,
                                    const std::vector<std::vector<int>>& sizes,
                                    const std::function<void(Trial&)>& body) {
  ::testing::Test::RecordProperty("exercise", id);
  const std::string advice =
      message(hints_of(id).empty() ? "harness.read_again" : "harness.read_more",
              {{"readme", readme_of(id)},
               {"title", the_exercise(id).title},
               {"hints", hints_of(id)},
               {"exercise", id}}) +
      "\n";
  return examined(id, names, sizes, body, advice,
                  message("harness.only_this", {{"number", id.substr(id.find('.') + 1)}}) + "\n");
}

::testing::AssertionResult whole(const std::string& id, const std::string& contract,
                                 const std::vector<std::string>& names,
                                 const std::vector<std::vector<int>>& sizes,
                                 const std::function<void(Trial&)>& body) {
  ::testing::Test::RecordProperty("title", message("harness.whole", {{"contract", contract}}));
  return examined(
      id, names, sizes, body,
      message("harness.steps_first", {{"contract", contract}, {"file", file_of(id)}}) + "\n",
      message("harness.only_whole") + "\n");
}

}  // namespace andrea
