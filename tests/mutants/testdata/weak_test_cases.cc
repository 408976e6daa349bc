// Weak on purpose: the only size fills its block, so that nothing depends on the guard.

#include <vector>

#include "tests/harness/exercise/exercise.h"

void doubled(const float* x, float* y, int n, const andrea::Launch& launch);

namespace andrea {
namespace {

TEST(Lesson00, Exercise1) {
  EXPECT_TRUE(exercise("00.1", {"n"}, {{32}}, [](Trial& trial) {
    const auto [n] = trial.sizes<1>();
    const auto x = trial.random().numbers(n);
    const float* x_device = trial.input("x", {{"i", n}}, x);
    float* y = trial.output("y", {{"i", n}});
    trial.run([&](const Launch& launch) { doubled(x_device, y, n, launch); });
    trial.expect("y", [&]<typename Scalar>(Scalar) {
      std::vector<Scalar> expected;
      for (const float number : x) expected.push_back(2 * static_cast<Scalar>(number));
      return expected;
    });
  }));
}

}  // namespace
}  // namespace andrea
