// File: suspects.h
//
// Which of an exercise's known mistakes is told, of what the cases that failed look like.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_SUSPECTS_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_SUSPECTS_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace andrea {

// The known mistakes that explain the first case that failed, and how many cases each explains.
class Suspects {
 public:
  // What is told.
  struct Verdict {
    std::string mistake{};  // its name; empty where none is known
    bool of_all = true;     // it explains every case
  };

  // Of that case, in the order of the exercise.
  explicit Suspects(std::vector<std::string> of_first) {
    for (std::string& name : of_first) suspects_.push_back({std::move(name), 1});
  }

  // Those that explain a further one.
  void see(const std::vector<std::string>& mistakes) {
    ++cases_;
    for (auto& [name, explained] : suspects_) {
      explained += std::find(mistakes.begin(), mistakes.end(), name) != mistakes.end();
    }
  }

  // A mistake that explains all cases, since two of them may look alike in one; or, where two slips
  // meet, the one that explains most: two cases at least, and a third of them.
  Verdict verdict() const {
    const auto best =
        std::max_element(suspects_.begin(), suspects_.end(),
                         [](const auto& a, const auto& b) { return a.explained < b.explained; });
    if (best == suspects_.end()) return {};
    if (best->explained == cases_) return {best->name, true};
    if (best->explained < 2 || 3 * best->explained < cases_) return {};
    return {best->name, false};
  }

 private:
  struct Suspect {
    std::string name;
    std::size_t explained;  // cases
  };

  std::vector<Suspect> suspects_;
  std::size_t cases_ = 1;
};

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_SUSPECTS_H_
