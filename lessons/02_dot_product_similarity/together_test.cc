// Your embedding and your output projection in a model that is as small as it can be, forward and
// backward; the rest of the model is the cpu set's. tests/harness/exercise/small_model.h says what
// the chain is.

#include "tests/harness/exercise/small_model.h"

namespace andrea {
namespace {

TEST(Lesson02, Together) { EXPECT_TRUE(small_model({"embedding", "dot_similarity"})); }

}  // namespace
}  // namespace andrea
