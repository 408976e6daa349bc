// Lab 05: does the activation matter?
//
//   bazel run //lessons/05_gelu_mlp:lab -- $PWD/activations.svg
//
// MLPs of equally many weights learn a function from random examples: with ReLU and GELU the middle
// is 4 times as wide as the input, with SwiGLU 8/3 times. There are two functions, waves and
// products of waves. Each MLP is trained from several starts, since one start may be lucky. Prints
// the losses and draws them. Before you run it, predict the order for either function, and whether
// the differences are larger than those between two starts.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lessons/05_gelu_mlp/reference.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

constexpr int kWidth = 24;
constexpr int kExamples = 64;  // a step
constexpr int kSteps = 2000;
constexpr int kStarts = 4;

Matrix<float> random(std::mt19937& generator, int rows, int columns, double deviation) {
  std::normal_distribution<float> normal(0, static_cast<float>(deviation));
  return Matrix<float>::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

// What is to be learned: each output is a wave in a direction of its own, which goes through three
// of the inputs; or the product of two such waves. Input 0 is always 1, so that its weights are
// biases.
class Task {
 public:
  Task(std::mt19937& generator, bool is_product)
      : first_(directions(generator)), second_(directions(generator)), is_product_(is_product) {}

  Matrix<float> inputs(std::mt19937& generator, int count) const {
    Matrix<float> x = random(generator, count, kWidth, 1);
    x.col(0).setOnes();
    return x;
  }
  Matrix<float> outputs(const Matrix<float>& x) const {
    const Matrix<float> wave = (x * first_).array().sin() * std::sqrt(2.0f);
    if (!is_product_) return wave;
    return wave.array() * (x * second_).array().sin() * std::sqrt(2.0f);
  }

 private:
  static Matrix<float> directions(std::mt19937& generator) {
    Matrix<float> result = Matrix<float>::Zero(kWidth, kWidth);
    const Matrix<float> parts = random(generator, 3, kWidth, 0.7);
    std::uniform_int_distribution<int> input(1, kWidth - 1);
    result.row(0) = random(generator, 1, kWidth, 2);  // where each wave begins
    for (int output = 0; output < kWidth; ++output) {
      for (int i = 0; i < 3; ++i) result(input(generator), output) += parts(i, output);
    }
    return result;
  }

  Matrix<float> first_, second_;
  bool is_product_;
};

// A weight matrix with the two moments that Adam keeps of its gradient (lesson 07).
class Weight {
 public:
  Weight(std::mt19937& generator, int in, int out)
      : values_(random(generator, in, out, 1 / std::sqrt(in))),
        mean_(Matrix<float>::Zero(in, out)),
        square_(Matrix<float>::Zero(in, out)) {}

  const Matrix<float>& values() const { return values_; }

  void step(const Matrix<float>& gradient, int step) {
    mean_ += 0.1f * (gradient - mean_);
    square_ += 0.01f * (gradient.cwiseAbs2() - square_);
    const float rate = 0.003f * (1 - static_cast<float>(step) / kSteps);
    const float of_mean = 1 - std::pow(0.9f, static_cast<float>(step + 1));
    const float of_square = 1 - std::pow(0.99f, static_cast<float>(step + 1));
    values_.array() -=
        rate * mean_.array() / of_mean / ((square_.array() / of_square).sqrt() + 1e-8f);
  }

 private:
  Matrix<float> values_, mean_, square_;
};

// The mean square of the errors after training, on examples that were never seen.
float trained(Activation kind, bool is_product, unsigned start) {
  std::mt19937 of_task(5), generator(start);
  const Task task(of_task, is_product);
  const bool is_gated = kind == Activation::swiglu;
  const int middle = is_gated ? kWidth * 8 / 3 : kWidth * 4;
  Weight expand(generator, kWidth, is_gated ? 2 * middle : middle);
  Weight contract(generator, middle, kWidth);
  const auto forward = [&](const Matrix<float>& x, Matrix<float>& wide, Matrix<float>& bent) {
    wide = reference::linear_forward<float>(x, expand.values(), {});
    bent = reference::activation_forward(kind, wide);
    return reference::linear_forward<float>(bent, contract.values(), {});
  };
  Matrix<float> wide, bent;
  for (int step = 0; step < kSteps; ++step) {
    const Matrix<float> x = task.inputs(generator, kExamples);
    const Matrix<float> error = forward(x, wide, bent) - task.outputs(x);
    const Matrix<float> dy = error * (2.0f / static_cast<float>(error.size()));
    const auto back = reference::linear_backward<float>(dy, bent, contract.values());
    const Matrix<float> dwide = reference::activation_backward<float>(kind, back.dx, wide);
    const auto front = reference::linear_backward<float>(dwide, x, expand.values());
    contract.step(back.dweight, step);
    expand.step(front.dweight, step);
  }
  std::mt19937 of_test(99);
  const Matrix<float> x = task.inputs(of_test, 4000);
  return (forward(x, wide, bent) - task.outputs(x)).array().square().mean();
}

struct Row {
  std::string name;
  std::vector<float> losses;
};

// A row for each activation, a circle for each start, a line at the mean.
std::string drawing(const std::vector<Row>& rows) {
  float highest = 0;
  for (const Row& row : rows) {
    highest = std::max(highest, *std::max_element(row.losses.begin(), row.losses.end()));
  }
  highest = std::ceil(highest * 10.5f) / 10;
  const auto x_of = [&](float loss) { return std::to_string(150 + 500 * loss / highest); };
  std::string svg =
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 680 420' role='img'>"
      "<title>Losses of MLPs with ReLU, GELU and SwiGLU, from several starts</title>"
      "<style>text{font:14px sans-serif;fill:#222}circle,path{stroke:#222;fill:none}"
      "@media(prefers-color-scheme:dark){text{fill:#eee}circle,path{stroke:#eee}}</style>"
      "<path d='M150 380H660'/>";
  for (int tenth = 0; tenth <= 10; tenth += 2) {
    const float loss = highest * static_cast<float>(tenth) / 10;
    char label[16];
    std::snprintf(label, sizeof label, "%.2f", static_cast<double>(loss));
    svg += "<text y='400' text-anchor='middle' x='" + x_of(loss) + "'>" + label + "</text>";
  }
  float y = 40;
  for (const Row& row : rows) {
    svg += "<text x='20' y='" + std::to_string(y + 5) + "'>" + row.name + "</text>";
    float mean = 0;
    for (const float loss : row.losses) {
      mean += loss / static_cast<float>(row.losses.size());
      svg +=
          "<circle r='5' stroke-width='2' cy='" + std::to_string(y) + "' cx='" + x_of(loss) + "'/>";
    }
    svg += "<path stroke-width='2' d='M" + x_of(mean) + " " + std::to_string(y - 16) + "v32'/>";
    y += 60;
  }
  return svg + "<text x='400' y='417' text-anchor='middle'>loss after training</text></svg>\n";
}

int run(const std::string& file) {
  const std::vector<std::pair<Activation, std::string>> kinds = {
      {Activation::relu, "ReLU"}, {Activation::gelu, "GELU"}, {Activation::swiglu, "SwiGLU"}};
  std::vector<Row> rows;
  std::printf("%-18s  %8s  %8s  %8s   (of %d starts)\n", "", "mean", "lowest", "highest", kStarts);
  for (const bool is_product : {false, true}) {
    for (const auto& [kind, name] : kinds) {
      Row row{(is_product ? "products, " : "waves, ") + name, {}};
      for (unsigned start = 0; start < kStarts; ++start) {
        row.losses.push_back(trained(kind, is_product, start));
      }
      const Eigen::Map<const Vector<float>> all(row.losses.data(), kStarts);
      std::printf("%-18s  %8.4f  %8.4f  %8.4f\n", row.name.c_str(), static_cast<double>(all.mean()),
                  static_cast<double>(all.minCoeff()), static_cast<double>(all.maxCoeff()));
      rows.push_back(row);
    }
  }
  std::ofstream out(file);
  out << drawing(rows);
  if (!out.flush()) {
    std::fprintf(stderr, "lab: cannot write '%s'\n", file.c_str());
    return 1;
  }
  std::printf("Drawn: %s\n", file.c_str());
  return 0;
}

}  // namespace
}  // namespace andrea

int main(int argc, char** argv) { return andrea::run(argc > 1 ? argv[1] : "activations.svg"); }
