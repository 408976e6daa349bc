#include "tests/harness/exercise/any_order.h"

#include <cstdio>
#include <cstdlib>

#include "tests/harness/callee.h"
#include "tests/harness/exercise/child_process.h"
#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/the_course.h"
#include "tests/harness/exercise/wrapped.h"
#include "tests/harness/seed.h"

namespace andrea {

::testing::AssertionResult same_bits_in_any_order(const std::string& id,
                                                  const std::function<std::vector<float>()>& work) {
  ::testing::Test::RecordProperty("exercise", id);
  const std::string sentence = message(id + ".order");
  test_seed();  // chosen here, so that all processes have the same inputs
  std::string first;
  for (const char* const seed : {"0", "1", "2", "3"}) {
    // The simulator reads it when a process uses CUDA for the first time.
    const ChildResult result = in_child_process(
        [&] {
          setenv("SIMULATOR_SEED", seed, 1);
          std::vector<float> numbers;
          try {
            numbers = work();
          } catch (const CallFailed& failed) {
            std::fprintf(stderr, "%s\n", failed.what());
            std::_Exit(1);
          }
          return std::string(reinterpret_cast<const char*>(numbers.data()),
                             numbers.size() * sizeof(float));
        },
        60);
    if (!result.answered) return ::testing::AssertionFailure() << result.complained;
    if (first.empty()) first = result.answer;
    if (result.answer == first) continue;
    ::testing::Test::RecordProperty("mistake", "order");
    return ::testing::AssertionFailure()
           << wrapped(sentence) << "\n\n"
           << message("harness.hints", {{"hints", hints_of(id)}, {"exercise", id}}) << "\n";
  }
  return ::testing::AssertionSuccess();
}

}  // namespace andrea
