// Two of your blocks between your embedding and your output projection, forward and backward; the
// rest of the model is the cpu set's. tests/harness/exercise/small_model.h says what the chain is.

#include "tests/harness/exercise/small_model.h"

namespace andrea {
namespace {

TEST(Lesson06, Together) {
  EXPECT_TRUE(small_model({"embedding", "dot_similarity", "attention", "layer_norm", "linear",
                           "activation", "residual", "block"}));
}

}  // namespace
}  // namespace andrea
