// Lab 04: what many layers do to a signal, with layer norm and without.
//
//   bazel run //lessons/04_layer_norm:lab -- $PWD/depth.svg
//
// Each of 200 layers is a random matrix and max(0, x), with or without a layer norm in front. The
// matrices are scaled so that a layer keeps the size of its rows on average, and then all
// multiplied by the same factor, as if they had been chosen a little too small or too large. Size
// is the root mean square of a layer's numbers, all in float. Prints the sizes, and those of the
// gradients that come back to the first layer, and draws the former.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "lessons/04_layer_norm/reference.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

constexpr int kWidth = 64, kRows = 8, kLayers = 200;
constexpr double kFactors[] = {0.8, 1.0, 1.25, 2.0};

double size_of(const Matrix<float>& x) {
  return std::sqrt(x.cast<double>().squaredNorm() / static_cast<double>(x.size()));
}

struct Sizes {
  std::vector<double> forward;  // behind each layer
  double gradient;              // at the input, for a gradient of size 1 at the output
};

Sizes measured(double factor, int layers, bool has_norm) {
  std::mt19937 generator(4);
  std::normal_distribution<float> normal;
  const auto random = [&](int rows, double scale) -> Matrix<float> {
    return static_cast<float>(scale) *
           Matrix<float>::NullaryExpr(rows, kWidth, [&] { return normal(generator); });
  };
  Matrix<float> x = random(kRows, 1);
  std::vector<Matrix<float>> weights, inputs, outputs;
  Sizes sizes;
  for (int layer = 0; layer < layers; ++layer) {
    weights.push_back(random(kWidth, factor * std::sqrt(2.0 / kWidth)));
    inputs.push_back(x);
    if (has_norm) x = reference::layer_norm_forward<float>(x, {}, {});
    x = (x * weights.back()).cwiseMax(0);
    outputs.push_back(x);
    sizes.forward.push_back(size_of(x));
  }
  Matrix<float> dx = random(kRows, 1);
  for (int layer = layers - 1; layer >= 0; --layer) {
    const auto k = static_cast<std::size_t>(layer);
    const Matrix<float> through = (outputs[k].array() > 0).select(dx, 0.0f);
    dx = through * weights[k].transpose();
    if (has_norm) dx = reference::layer_norm_backward<float>(dx, inputs[k], {}).dx;
  }
  sizes.gradient = size_of(dx);
  return sizes;
}

// Layers to the right, the logarithm of the size upwards.
class Drawing {
 public:
  Drawing() {
    svg_ =
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 720 420' role='img'>"
        "<title>Size of the numbers behind each layer, with and without layer norm</title>"
        "<style>text{font:14px sans-serif;fill:#222}path{fill:none;stroke:#222;stroke-width:2}"
        ".grid{stroke-width:1;stroke-opacity:.2}.norm{stroke-dasharray:6 4}"
        "@media(prefers-color-scheme:dark){text{fill:#eee}path{stroke:#eee}}</style>";
    for (int power = -20; power <= 40; power += 10) {
      text(64, y_of(power) + 5, "1e" + std::to_string(power), "end");
      svg_ += "<path class='grid' d='M70 " + number(y_of(power)) + "H600'/>";
    }
    for (int layer = 0; layer <= kLayers; layer += 50) {
      text(x_of(layer), 395, std::to_string(layer), "middle");
    }
    text(335, 415, "layers", "middle");
  }

  void line(const std::vector<double>& sizes, bool has_norm, const std::string& name) {
    std::string path;
    double x = 0, y = 0;
    for (std::size_t layer = 0; layer < sizes.size(); ++layer) {
      if (!std::isfinite(sizes[layer]) || sizes[layer] <= 0) break;
      x = x_of(static_cast<double>(layer + 1));
      y = y_of(std::log10(sizes[layer]));
      path += (path.empty() ? "M" : "L") + number(x) + " " + number(y);
    }
    svg_ += "<path class='" + std::string(has_norm ? "norm" : "") + "' d='" + path + "'/>";
    text(x + 6, y + (has_norm ? -6 : 5), name, "start");
  }

  std::string text() const { return svg_ + "</svg>\n"; }

 private:
  static double x_of(double layer) { return 70 + 530 * layer / kLayers; }
  static double y_of(double power) { return 20 + 350 * (40 - power) / 60; }
  static std::string number(double value) {
    return std::to_string(static_cast<int>(std::lround(value)));
  }
  void text(double x, double y, const std::string& what, const std::string& anchor) {
    svg_ += "<text x='" + number(x) + "' y='" + number(y) + "' text-anchor='" + anchor + "'>" +
            what + "</text>";
  }
  std::string svg_;
};

// The C library's word for NaN has a sign, which says nothing here.
std::string text_of(double size) {
  if (std::isnan(size)) return "NaN";
  char text[20];
  std::snprintf(text, sizeof text, "%.3g", size);
  return text;
}

int run(const std::string& file) {
  std::printf("%8s %8s   %12s %12s   %12s %12s\n", "", "", "without", "", "with", "");
  std::printf("%8s %8s   %12s %12s   %12s %12s\n", "factor", "layers", "numbers", "gradient",
              "numbers", "gradient");
  Drawing drawing;
  for (const double factor : kFactors) {
    for (const int layers : {12, 50, kLayers}) {
      const Sizes without = measured(factor, layers, false), with = measured(factor, layers, true);
      std::printf("%8.2f %8d   %12s %12s   %12s %12s\n", factor, layers,
                  text_of(without.forward.back()).c_str(), text_of(without.gradient).c_str(),
                  text_of(with.forward.back()).c_str(), text_of(with.gradient).c_str());
      if (layers != kLayers) continue;
      char name[40];
      std::snprintf(name, sizeof name, "%g times", factor);
      drawing.line(without.forward, false, name);
      if (factor == 2.0) drawing.line(with.forward, true, "2 times, norm");
    }
  }
  std::ofstream out(file);
  out << drawing.text();
  if (!out.flush()) {
    std::fprintf(stderr, "lab: cannot write '%s'\n", file.c_str());
    return 1;
  }
  std::printf("Drawn: %s\n", file.c_str());
  return 0;
}

}  // namespace
}  // namespace andrea

int main(int argc, char** argv) { return andrea::run(argc > 1 ? argv[1] : "depth.svg"); }
