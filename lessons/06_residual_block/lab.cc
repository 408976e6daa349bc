// What is left of a gradient after many layers? The claim: without residual connections a stack of
// 12 layers loses it, with them it lives for hundreds. Here stacks of blocks with random weights
// read random rows; then a random gradient goes back from the end, and its size at each depth is
// compared with what it was at the end: pre-norm and post-norm, and without norm or residual.
//
//   bazel run //lessons/06_residual_block:lab -- gradients.svg

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "lessons/06_residual_block/reference.h"
#include "lessons/formatted.h"

namespace andrea {
namespace {

using reference::Matrix;

constexpr int kTime = 16;
constexpr int kWidth = 32;
constexpr int kHeads = 4;
constexpr int kMlpWidth = 4 * kWidth;
constexpr int kDepths[] = {12, 200};
constexpr unsigned kStacks = 8;

enum Kind { pre_norm, post_norm, no_norm, no_residual, neither, kKinds };
constexpr const char* kNames[kKinds] = {"pre-norm", "post-norm", "residual, no norm",
                                        "norm, no residual", "neither"};
constexpr int kLegend[kKinds] = {8, 106, 210, 360, 510};  // how far from the left each is named

Matrix<double> random_matrix(std::mt19937_64& generator, int rows, int columns, double deviation) {
  std::normal_distribution<double> normal(0, deviation);
  return Matrix<double>::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

Matrix<double> norm(const Matrix<double>& x) { return reference::layer_norm_forward(x, {}, {}); }

Matrix<double> norm_backward(const Matrix<double>& dy, const Matrix<double>& x) {
  return reference::layer_norm_backward(dy, x, {}).dx;
}

// Attention or an MLP between two matrices, without norm and residual.
class Branch {
 public:
  // `scale`: the size of a sum of as many weights as a number of the result is made of, relative to
  // that of ANDREA's at first, which have a deviation of 0.02 at width 768.
  Branch(bool is_attention, double scale, std::mt19937_64& generator)
      : is_attention_(is_attention) {
    const int inner = is_attention ? kWidth : kMlpWidth;
    const double sum = scale * 0.02 * std::sqrt(768);
    in_ = random_matrix(generator, kWidth, is_attention ? 3 * kWidth : inner,
                        sum / std::sqrt(kWidth));
    out_ = random_matrix(generator, inner, kWidth, sum / std::sqrt(inner));
  }

  Matrix<double> forward(const Matrix<double>& x) {
    entering_ = x * in_;
    return inner(entering_) * out_;
  }

  Matrix<double> backward(const Matrix<double>& dy) const {
    const Matrix<double> dinner = dy * out_.transpose();
    const Matrix<double> dentering =
        is_attention_ ? reference::attention_backward(dinner, entering_, shape())
                      : reference::activation_backward(Activation::gelu, dinner, entering_);
    return dentering * in_.transpose();
  }

 private:
  static AttentionShape shape() { return {1, kTime, kWidth, kHeads}; }
  Matrix<double> inner(const Matrix<double>& entering) const {
    return is_attention_ ? reference::attention_forward(entering, shape())
                         : reference::activation_forward(Activation::gelu, entering);
  }

  bool is_attention_;
  Matrix<double> in_, out_;
  Matrix<double> entering_;  // of the last forward pass
};

// The size of the gradient of the stream before each sublayer, and at the end, relative to the
// latter.
std::vector<double> gradient_sizes(Kind kind, int layers, double scale, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<Branch> branches;
  for (int i = 0; i < 2 * layers; ++i) branches.emplace_back(i % 2 == 0, scale, generator);

  Matrix<double> x = random_matrix(generator, kTime, kWidth, 1);
  std::vector<Matrix<double>> norm_read;  // what each sublayer's norm read
  for (Branch& branch : branches) {
    switch (kind) {
      case pre_norm:
        norm_read.push_back(x);
        x += branch.forward(norm(x));
        break;
      case post_norm:
        norm_read.push_back(x + branch.forward(x));
        x = norm(norm_read.back());
        break;
      case no_norm:
        norm_read.emplace_back();
        x += branch.forward(x);
        break;
      case no_residual:
        norm_read.push_back(x);
        x = branch.forward(norm(x));
        break;
      default:
        norm_read.emplace_back();
        x = branch.forward(x);
    }
  }

  Matrix<double> dx = random_matrix(generator, kTime, kWidth, 1);
  const double at_end = dx.norm();
  std::vector<double> sizes = {1};
  for (std::size_t i = branches.size(); i-- > 0;) {
    switch (kind) {
      case pre_norm:
        dx += norm_backward(branches[i].backward(dx), norm_read[i]);
        break;
      case post_norm:
        dx = norm_backward(dx, norm_read[i]);
        dx += branches[i].backward(dx);
        break;
      case no_norm:
        dx += branches[i].backward(dx);
        break;
      case no_residual:
        dx = norm_backward(branches[i].backward(dx), norm_read[i]);
        break;
      default:
        dx = branches[i].backward(dx);
    }
    sizes.push_back(dx.norm() / at_end);
  }
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

// The geometric mean of several stacks.
std::vector<double> mean_sizes(Kind kind, int layers, double scale) {
  std::vector<double> logarithms(static_cast<std::size_t>(2 * layers) + 1);
  for (unsigned seed = 1; seed <= kStacks; ++seed) {
    const std::vector<double> sizes = gradient_sizes(kind, layers, scale, seed);
    for (std::size_t i = 0; i < sizes.size(); ++i) logarithms[i] += std::log(sizes[i]) / kStacks;
  }
  for (double& number : logarithms) number = std::exp(number);
  return logarithms;
}

// A line a kind over the depth, the size in powers of ten. What leaves the picture is cut off.
class Picture {
 public:
  explicit Picture(const std::string& path) : file_(path) {
    file_ << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 330" role="img">
<title>The size of a gradient on its way back through 12 and through 200 layers</title>
<style>
  text { font: 12px sans-serif; fill: #222 } line, .axis { stroke: #999; fill: none }
  .k { stroke: #225ea8; fill: none; stroke-width: 2 }
  .k1 { stroke-dasharray: 9 4 } .k2 { stroke-dasharray: 2 3 } .k3 { stroke-dasharray: 10 3 2 3 }
  .k4 { stroke-dasharray: 14 3 2 3 2 3 }
  @media (prefers-color-scheme: dark) { text { fill: #ddd } .k { stroke: #7fb8ff } }
</style>
<text x="16" y="20">Gradient of the stream, relative to its size at the end (powers of ten)</text>
)";
    for (int kind = 0; kind < kKinds; ++kind) {
      const double left = kLegend[kind];
      file_ << "<path class=\"k k" << kind << formatted("\" d=\"M%.0f 38h20\"/>", left)
            << formatted("<text x=\"%.0f\" y=\"42\">", left + 24) << kNames[kind] << "</text>\n";
    }
  }

  void panel(int which, const std::vector<std::vector<double>>& sizes) {
    const double left = 50 + 310 * which, right = left + 250;
    const auto depth = sizes.front().size() - 1;
    for (int power = kLeast; power <= kMost; power += 3) {
      file_ << formatted("<line x1=\"%.0f\" y1=\"%.1f\" x2=\"%.0f\" y2=\"%.1f\"/>", left,
                         height(power), right, height(power))
            << formatted("<text x=\"%.0f\" y=\"%.1f\">%.0f</text>\n", left - 26, height(power) + 4,
                         power);
    }
    for (std::size_t kind = 0; kind < sizes.size(); ++kind) {
      file_ << "<polyline class=\"k k" << kind << "\" points=\"";
      for (std::size_t i = 0; i <= depth; ++i) {
        const double power =
            std::clamp(std::log10(std::max(sizes[kind][i], 1e-300)), 1.0 * kLeast, 1.0 * kMost);
        file_ << formatted(
            "%.1f,%.1f ",
            left + (right - left) * static_cast<double>(i) / static_cast<double>(depth),
            height(power));
      }
      file_ << "\"/>\n";
    }
    file_ << formatted("<text x=\"%.0f\" y=\"312\">first of %.0f layers</text>", left,
                       static_cast<double>(depth) / 2)
          << formatted("<text x=\"%.0f\" y=\"312\">end</text>\n", right - 22);
  }

  void end() { file_ << "</svg>\n"; }

 private:
  static constexpr int kLeast = -15, kMost = 12;
  static double height(double power) { return 60 + 230 * (kMost - power) / (kMost - kLeast); }

  std::ofstream file_;
};

std::string number(double size) {
  return std::isfinite(size) ? formatted("%12.1e", size) : "    overflow";
}

int run(const std::string& path) {
  Picture picture(path);
  std::printf("The gradient of the stream at the first layer, relative to that at the end:\n\n");
  std::printf("  %-20s %25s %25s\n", "", "weights as at first", "twice as large");
  std::printf("  %-20s %12s %12s %12s %12s\n", "layers", "12", "200", "12", "200");
  std::vector<std::vector<double>> drawn[2];
  for (int kind = 0; kind < kKinds; ++kind) {
    std::printf("  %-20s", kNames[kind]);
    for (const double scale : {1.0, 2.0}) {
      for (int which = 0; which < 2; ++which) {
        const auto sizes = mean_sizes(static_cast<Kind>(kind), kDepths[which], scale);
        std::printf(" %s", number(sizes.front()).c_str());
        if (scale == 1) drawn[which].push_back(sizes);
      }
    }
    std::printf("\n");
  }
  for (int which = 0; which < 2; ++which) picture.panel(which, drawn[which]);
  picture.end();
  std::printf("\nThe picture is in %s.\n", path.c_str());
  return 0;
}

}  // namespace
}  // namespace andrea

int main(int argc, char** argv) { return andrea::run(argc > 1 ? argv[1] : "gradients.svg"); }
