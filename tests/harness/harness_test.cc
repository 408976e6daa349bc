// What the harness must notice. EXPECT_NONFATAL_FAILURE expects the failure that it names.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "tests/harness/close.h"
#include "tests/harness/finite_difference.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/marked_nan.h"
#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

// An operation to be tested: y = 2 x.
void twice(const float* x, float* y, int count) {
  for (int i = 0; i < count; ++i) y[i] = 2 * x[i];
}

std::vector<double> doubled(const std::vector<float>& x) {
  std::vector<double> result(x.begin(), x.end());
  for (double& number : result) number *= 2;
  return result;
}

std::vector<float> rounded(const std::vector<double>& x) { return {x.begin(), x.end()}; }

TEST(HarnessTest, ShowsHowAnOperationIsTested) {
  RandomInputs random;
  GuardedTensor<const float> x("x", {2, 3}, random.numbers(6));
  GuardedTensor<float> y("y", {2, 3});

  twice(x.data(), y.data(), 6);

  const std::vector<double> exact = doubled(x.before());
  EXPECT_TRUE(close(y, exact, rounded(exact)));
}

TEST(HarnessTest, TellsWhatWasNeverWritten) {
  GuardedTensor<const float> x("x", {2, 3}, {1, 2, 3, 4, 5, 6});
  GuardedTensor<float> y("y", {2, 3});
  twice(x.data(), y.data(), 5);

  const std::vector<double> exact = doubled(x.before());
  const auto result = close(y, exact, rounded(exact));
  EXPECT_FALSE(result);
  const std::string message = result.message();
  EXPECT_NE(message.find("y [2, 3]: 1 of 6 numbers are wrong"), std::string::npos) << message;
  EXPECT_NE(message.find("[1, 2]: expected 12, got nothing: it was never written"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("ANDREA_TEST_SEED="), std::string::npos) << message;
  EXPECT_TRUE(untouched(y, 5, 6));
  EXPECT_FALSE(untouched(y, 4, 6));
}

TEST(HarnessTest, TellsWhereANanComesFrom) {
  GuardedTensor<float> y("y", {1});
  y.data()[0] *= 2;
  EXPECT_EQ(describe(y.contents()[0]), "NaN, computed from memory never written");
  y.data()[0] = 2 * y.data()[1];
  EXPECT_EQ(describe(y.contents()[0]), "NaN, computed from memory outside a buffer");
  y.data()[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(describe(y.contents()[0]), "NaN");
  EXPECT_FALSE(close(y, std::vector<double>{1}, std::vector<float>{1}));
}

TEST(HarnessTest, ListsTheFirstTenAndTheLargestError) {
  const std::vector<float> actual(24, 1.5f);
  std::vector<double> exact(24, 1.0);
  exact[13] = -5;
  const auto result = close_within(0.1, "dx", {2, 3, 4}, actual, exact);
  const std::string message = result.message();
  EXPECT_NE(message.find("dx [2, 3, 4]: 24 of 24 numbers are wrong"), std::string::npos);
  EXPECT_NE(message.find("largest error 6.5 at [1, 0, 1]"), std::string::npos) << message;
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 11) << message;
}

TEST(HarnessTest, NoticesWritesBesideATensor) {
  EXPECT_NONFATAL_FAILURE(
      {
        GuardedTensor<float> y("y", {3});
        y.data()[4] = 0;
      },
      "y [3]: something wrote behind its end, from byte 4 after it");
  EXPECT_NONFATAL_FAILURE(
      {
        GuardedTensor<float> y("y", {3});
        y.data()[-1] = 0;
      },
      "y [3]: something wrote in front of it, 4 bytes before its start");
  EXPECT_NONFATAL_FAILURE(
      {
        Workspace workspace(5);
        static_cast<char*>(workspace.launch().scratch)[5] = 0;
      },
      "scratch [5]: something wrote behind its end, from byte 0 after it");
}

TEST(HarnessTest, NoticesAChangedInput) {
  EXPECT_NONFATAL_FAILURE(
      {
        GuardedTensor<const float> x("x", {2}, {1, 2});
        const_cast<float*>(x.data())[1] = 3;
      },
      "x [2]: an input was changed, from byte 4");
}

TEST(HarnessTest, ToleranceFollowsTheGap) {
  const std::vector<double> exact = {1, 2};
  const double unit = std::numeric_limits<float>::epsilon();
  EXPECT_DOUBLE_EQ(tolerance_of(exact, std::vector<float>{1, 2}, 0), 8 * unit);
  EXPECT_DOUBLE_EQ(tolerance_of(exact, std::vector<float>{1, 2}, 100), 400 * unit);
  EXPECT_DOUBLE_EQ(tolerance_of(exact, std::vector<float>{1, 2.5}, 0), 5 + 8 * unit);

  // A reference that is itself not finite lets nothing pass.
  const std::vector<float> broken = {1, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_FALSE(close("y", {2}, std::vector<float>{1, 2}, exact, broken));
  EXPECT_FALSE(close("y", {2}, std::vector<float>{1, 2}, exact, std::vector<float>{1}));
}

TEST(HarnessTest, AddedGradientsCountWhatWasThere) {
  auto added = gradient_tensor("dw", {2}, Accumulate::add, {10, 20});
  for (int i = 0; i < 2; ++i) added.data()[i] += 1;
  EXPECT_TRUE(gradient_close(added, std::vector<double>{1, 1}, std::vector<float>{1, 1}));

  auto overwritten = gradient_tensor("dw", {2}, Accumulate::overwrite, {10, 20});
  for (int i = 0; i < 2; ++i) overwritten.data()[i] = 1;
  EXPECT_TRUE(gradient_close(overwritten, std::vector<double>{1, 1}, std::vector<float>{1, 1}));
}

TEST(HarnessTest, FiniteDifferencesFindAWrongGradient) {
  std::vector<double> x = {0.3, -1.2};
  const auto loss = [&] { return x[0] * x[0] + std::sin(x[1]); };
  EXPECT_LT(gradient_error(loss, x, {0.6, std::cos(-1.2)}), 1e-8);
  EXPECT_GT(gradient_error(loss, x, {0.6, std::sin(-1.2)}), 0.1);
}

TEST(HarnessTest, BitsEqualTellsZerosApart) {
  EXPECT_TRUE(bits_equal(std::vector<float>{0, 1}, std::vector<float>{0, 1}));
  EXPECT_FALSE(bits_equal(std::vector<float>{0, 1}, std::vector<float>{-0.0f, 1}));
}

}  // namespace
}  // namespace andrea
