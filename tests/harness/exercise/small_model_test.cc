// The chain against itself: with the cpu set's kernels alone nothing departs.

#include "tests/harness/exercise/small_model.h"

namespace andrea {
namespace {

TEST(SmallModelTest, TheCpuSetAgreesWithTheReferences) { EXPECT_TRUE(small_model({})); }

// Named as the student's, an operation takes its place in the chain.
TEST(SmallModelTest, AttentionInBetween) { EXPECT_TRUE(small_model({"attention"})); }

TEST(SmallModelTest, NormsAndMlp) {
  EXPECT_TRUE(small_model({"attention", "layer_norm", "linear", "activation"}));
}

TEST(SmallModelTest, Blocks) { EXPECT_TRUE(small_model({"layer_norm", "block"})); }

TEST(SmallModelTest, ATrainingStep) { EXPECT_TRUE(small_model({"transformer"})); }

}  // namespace
}  // namespace andrea
