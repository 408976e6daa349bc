// A training step of your whole model, by your kernels alone. tests/harness/exercise/small_model.h
// says what the chain is.

#include "tests/harness/exercise/small_model.h"

namespace andrea {
namespace {

TEST(Lesson07, Together) {
  EXPECT_TRUE(
      small_model({"embedding", "dot_similarity", "attention", "layer_norm", "linear", "activation",
                   "residual", "block", "transformer", "cross_entropy", "global_norm", "adamw"}));
}

}  // namespace
}  // namespace andrea
