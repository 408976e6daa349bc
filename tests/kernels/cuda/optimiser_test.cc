// What the optimiser of the cuda set promises beyond the contract: a gradient that is not finite
// costs nothing but its step, without a look from the host; buffers may begin anywhere.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/adamw.h"
#include "kernels/global_norm.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

// The optimiser's buffers, each `offset` numbers behind a multiple of 16 bytes.
struct Buffers {
  Buffers(const std::vector<float>& numbers, std::vector<float> gradient_numbers, int offset)
      : count(static_cast<std::int64_t>(numbers.size()) - offset),
        first_number(offset),
        parameters("parameters", {count + offset}, numbers),
        first("first moments", {count + offset}, numbers),
        second("second moments", {count + offset}, std::vector<float>(numbers.size(), 0.01f)),
        gradients("gradients", {count + offset}, std::move(gradient_numbers)),
        scalars("scalars", {1}, {StepScalars{.step = 3, .learning_rate = 0.5f}}) {}

  void step() {
    const Workspace workspace(global_norm_scratch_bytes(count));
    global_norm(gradients.data() + first_number, count, 1, scalars.data(), workspace.launch());
    adamw(parameters.data() + first_number, gradients.data() + first_number,
          first.data() + first_number, second.data() + first_number, count, count / 2,
          AdamWOptions(), scalars.data(), workspace.launch());
  }

  std::int64_t count;
  int first_number;
  GuardedTensor<float> parameters, first, second;
  GuardedTensor<const float> gradients;
  GuardedTensor<StepScalars> scalars;
};

TEST(OptimiserTest, AGradientThatIsNotFiniteChangesNothing) {
  RandomInputs random;
  for (const std::int64_t count : {3, 97, 2051}) {
    const std::vector<float> numbers = random.numbers(count);
    for (const float bad : {NAN, INFINITY}) {
      std::vector<float> gradients = random.numbers(count);
      gradients.back() = bad;
      Buffers buffers(numbers, gradients, 0);
      buffers.step();
      EXPECT_TRUE(untouched(buffers.parameters, 0, count));
      EXPECT_TRUE(untouched(buffers.first, 0, count));
      EXPECT_TRUE(untouched(buffers.second, 0, count));
    }
    Buffers buffers(numbers, random.numbers(count), 0);
    buffers.step();
    EXPECT_FALSE(untouched(buffers.parameters, 0, 1)) << "a finite one does";
  }
}

TEST(OptimiserTest, BuffersMayBeginAnywhere) {
  RandomInputs random;
  constexpr std::int64_t kCount = 2051;
  const std::vector<float> numbers = random.numbers(kCount), gradients = random.numbers(kCount);
  Buffers aligned(numbers, gradients, 0);
  aligned.step();
  const auto shifted_by_one = [](const std::vector<float>& from) {
    std::vector<float> to = {7};
    to.insert(to.end(), from.begin(), from.end());
    return to;
  };
  Buffers shifted(shifted_by_one(numbers), shifted_by_one(gradients), 1);
  shifted.step();
  EXPECT_TRUE(untouched(shifted.parameters, 0, 1));
  // The norm adds in another order, so that the last digits may differ.
  EXPECT_FLOAT_EQ(shifted.scalars.contents()[0].gradient_norm,
                  aligned.scalars.contents()[0].gradient_norm);
  const std::vector<float> expected = aligned.parameters.contents();
  const std::vector<float> actual = shifted.parameters.contents();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(actual[i + 1], expected[i], 1e-6f) << i;
  }
}

}  // namespace
}  // namespace andrea
