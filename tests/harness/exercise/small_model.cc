#include "tests/harness/exercise/small_model.h"

#include "tests/harness/exercise/layers.h"
#include "tests/harness/exercise/training_step.h"

namespace andrea {
namespace {

void run(Chain& chain, const std::set<std::string>& own) {
  const auto [B, T, C, H, V] = chain.trial().sizes<5>();
  const auto is_own = [&](const char* operation) { return own.count(operation) > 0; };
  Layers layers(chain, {.B = B, .T = T, .C = C, .H = H}, V);
  const auto normed = [&](const std::string& name, const Value& x) {
    return is_own("layer_norm") ? layers.norm(name, x) : x;
  };

  Value stream = layers.embedding();
  if (is_own("block")) {
    stream = layers.block("block0", stream, 4 * C);
    stream = layers.block("block1", stream, 4 * C);
  } else if (is_own("attention")) {
    stream = layers.residual("middle", stream, [&, C = C](const Value& x) {
      return layers.attention("attended", layers.linear("qkv", normed("norm1", x), 3 * C));
    });
    if (is_own("activation")) {
      stream = layers.residual("after_mlp", stream, [&, C = C](const Value& x) {
        const Value expanded = layers.linear("expanded", normed("norm2", x), 4 * C);
        return layers.linear("contracted", layers.gelu("activated", expanded), C);
      });
    }
  }
  layers.logits_and_loss(normed("final_norm", stream));
  layers.backward();
}

}  // namespace

::testing::AssertionResult small_model(const std::set<std::string>& own) {
  return together(
      own, {"B", "T", "C", "H", "V"},
      {{1, 1, 2, 1, 3}, {1, 3, 2, 1, 5}, {2, 5, 6, 3, 4}, {2, 33, 16, 2, 97}},
      [&](Chain& chain) { own.count("transformer") > 0 ? training_step(chain) : run(chain, own); });
}

}  // namespace andrea
