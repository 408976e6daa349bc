// Teaches a small model with your attention to write eight letters backwards:
//
//   bazel run //lessons/03_attention:reverse

#include <omp.h>

#include <cmath>
#include <cstdio>

#include "lessons/03_attention/reverser.h"

namespace andrea {
namespace {

constexpr int kSteps = 80;

void show(Reverser& reverser) {
  for (const char* letters : {"gradient", "language", "aardvark"}) {
    std::printf("  %s|%s\n", letters, reverser.continuation(letters).c_str());
  }
}

int run() {
  // The rest of the model is small: more threads would only wait for each other.
  omp_set_num_threads(1);
  Reverser reverser(3);
  std::printf("Before training it writes:\n");
  show(reverser);
  std::printf("\n  step   loss\n");
  for (int step = 1; step <= kSteps; ++step) {
    const double loss = reverser.train();
    if (step == 1 || step % 10 == 0) std::printf("  %4d   %.4f\n", step, loss);
    std::fflush(stdout);
    if (!std::isfinite(loss)) {
      std::printf("\nThe loss is not a number: what does kernel_test say?\n");
      return 1;
    }
  }
  std::printf("\nAfter training it writes:\n");
  show(reverser);
  const double accuracy = reverser.accuracy();
  std::printf("\n%.1f %% of the letters of 64 other sequences are right.\n", 100 * accuracy);
  if (accuracy < 0.99) {
    std::printf("It has not learnt it: are all exercises from 03.1 to 03.7 done?\n");
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace andrea

int main() { return andrea::run(); }
