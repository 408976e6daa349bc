#include "kernels/residual.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

// One addition a number rounds in one way only, so that the bits are known.
std::vector<float> sum(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> result = a;
  for (std::size_t i = 0; i < a.size(); ++i) result[i] += b[i];
  return result;
}

using Operation = void (*)(const float*, const float*, float*, std::int64_t, const Launch&);

void expect_sum(Operation operation, std::int64_t count) {
  RandomInputs random;
  SCOPED_TRACE(count);
  const Workspace workspace(0);
  GuardedTensor<const float> a("first", {count}, random.numbers(count));
  GuardedTensor<const float> b("second", {count}, random.numbers(count));
  GuardedTensor<float> out("out", {count});
  GuardedTensor<float> over_a("out over first", {count}, a.before());
  GuardedTensor<float> over_b("out over second", {count}, b.before());
  operation(a.data(), b.data(), out.data(), count, workspace.launch());
  operation(over_a.data(), b.data(), over_a.data(), count, workspace.launch());
  operation(a.data(), over_b.data(), over_b.data(), count, workspace.launch());
  EXPECT_TRUE(bits_equal(out.contents(), sum(a.before(), b.before())));
  EXPECT_TRUE(bits_equal(over_a.contents(), out.contents()));
  EXPECT_TRUE(bits_equal(over_b.contents(), out.contents()));
}

TEST(ResidualTest, AddsApartAndInPlace) {
  for (const std::int64_t count : {1, 2, 3, 31, 33, 97, 255, 256, 257, 100'003}) {
    expect_sum(residual_forward, count);
    expect_sum(residual_backward, count);
  }
}

}  // namespace
}  // namespace andrea
