// Is word order invisible to a model without positions? The claim is that attention treats what it
// sees as a set. Here a stack of attention layers without positions reads a sequence of random
// vectors, then the same with the earlier ones in another order, and the output at the last place
// is compared: with the causal mask and without, for one layer to four.
//
//   bazel run //lessons/03_attention:lab -- word_order.svg

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "lessons/03_attention/reference.h"
#include "lessons/formatted.h"

namespace andrea {
namespace {

using reference::Matrix;

constexpr int kTime = 12;
constexpr int kWidth = 32;
constexpr int kHeads = 4;
constexpr int kLayers = 4;

class Stack {
 public:
  explicit Stack(std::mt19937_64& generator) {
    for (int layer = 0; layer < kLayers; ++layer) {
      qkv_weights_.push_back(random(generator, kWidth, 3 * kWidth));
      out_weights_.push_back(random(generator, kWidth, kWidth));
    }
  }

  // A number of normal distribution, so that a product with kWidth terms keeps their size.
  static Matrix<double> random(std::mt19937_64& generator, int rows, int columns) {
    std::normal_distribution<double> normal(0, 1 / std::sqrt(kWidth));
    return Matrix<double>::NullaryExpr(rows, columns, [&] { return normal(generator); });
  }

  // x = x + attention(x) for the first `layers` layers; the last row is what comes out at the end.
  Matrix<double> last_row(Matrix<double> x, int layers, bool causal) const {
    const AttentionShape shape{1, kTime, kWidth, kHeads, causal};
    for (int layer = 0; layer < layers; ++layer) {
      const auto k = static_cast<std::size_t>(layer);
      const Matrix<double> qkv = x * qkv_weights_[k];
      x += reference::attention_forward(qkv, shape) * out_weights_[k];
    }
    return x.bottomRows(1);
  }

 private:
  std::vector<Matrix<double>> qkv_weights_, out_weights_;
};

// How far the last output moves when the earlier rows are put in another order, relative to its
// own length; the largest of several orders.
double change(const Stack& stack, const Matrix<double>& x, int layers, bool causal,
              std::mt19937_64& generator) {
  const Matrix<double> before = stack.last_row(x, layers, causal);
  std::vector<int> order(kTime);
  for (int t = 0; t < kTime; ++t) order[static_cast<std::size_t>(t)] = t;
  double largest = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::shuffle(order.begin(), order.end() - 1, generator);
    Matrix<double> permuted(kTime, kWidth);
    for (int t = 0; t < kTime; ++t) permuted.row(t) = x.row(order[static_cast<std::size_t>(t)]);
    const double moved = (stack.last_row(permuted, layers, causal) - before).norm();
    largest = std::max(largest, moved / before.norm());
  }
  return largest;
}

// Two bars for each number of layers: hatched without the mask, filled with it.
void write_picture(const std::string& path, const double (&changes)[kLayers][2]) {
  double most = 1e-9;
  for (const auto& pair : changes) most = std::max({most, pair[0], pair[1]});
  std::ofstream file(path);
  file << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 300" role="img">
<title>Does the last output change when the earlier words are put in another order?</title>
<style>
  text { font: 13px sans-serif; fill: #222 } .a { fill: url(#h); stroke: #225ea8 }
  .b { fill: #225ea8; stroke: #225ea8 } .h { stroke: #225ea8 } line { stroke: #888 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .b { fill: #7fb8ff; stroke: #7fb8ff } .a { stroke: #7fb8ff } .h { stroke: #7fb8ff }
  }
</style>
<defs><pattern id="h" width="6" height="6" patternUnits="userSpaceOnUse"><path class="h" d="M0 6L6 0"/></pattern></defs>
<text x="20" y="24">Change of the last output when the earlier words change places</text>
<rect class="a" x="20" y="38" width="14" height="14"/><text x="40" y="50">without a mask</text>
<rect class="b" x="170" y="38" width="14" height="14"/><text x="190" y="50">causal mask</text>
<line x1="40" y1="260" x2="540" y2="260"/>
)";
  for (int layer = 0; layer < kLayers; ++layer) {
    const double left = 60 + 125 * layer;
    for (int mask = 0; mask < 2; ++mask) {
      const double height = 170 * changes[layer][mask] / most;
      file << (mask == 0 ? "<rect class=\"a\"" : "<rect class=\"b\"")
           << formatted(" x=\"%.0f\" y=\"%.1f\" width=\"36\" height=\"%.1f\"/>\n", left + 42 * mask,
                        260 - height, std::max(height, 1.0))
           << formatted("<text x=\"%.0f\" y=\"%.1f\">%.0f %%</text>\n", left + 42 * mask + 2,
                        254 - height, 100 * changes[layer][mask]);
    }
    file << formatted("<text x=\"%.0f\" y=\"280\">%.0f", left + 15, layer + 1)
         << (layer == 0 ? " layer</text>\n" : " layers</text>\n");
  }
  file << "</svg>\n";
}

int run(const std::string& path) {
  std::mt19937_64 generator(18);
  const Stack stack(generator);
  const Matrix<double> x = Stack::random(generator, kTime, kWidth) * std::sqrt(kWidth);
  double changes[kLayers][2];
  std::printf("The last of %d outputs, when the earlier words change places (no positions):\n\n",
              kTime);
  std::printf("  layers   without a mask   causal mask\n");
  for (int layers = 1; layers <= kLayers; ++layers) {
    double(&pair)[2] = changes[layers - 1];
    for (const bool causal : {false, true}) {
      pair[causal] = change(stack, x, layers, causal, generator);
    }
    std::printf("  %6d   %12.1e     %9.1e\n", layers, pair[0], pair[1]);
  }
  write_picture(path, changes);
  std::printf("\nThe picture is in %s.\n", path.c_str());
  return 0;
}

}  // namespace
}  // namespace andrea

int main(int argc, char** argv) { return andrea::run(argc > 1 ? argv[1] : "word_order.svg"); }
