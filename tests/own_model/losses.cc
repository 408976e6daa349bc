// Trains a small model for the given number of steps and prints each loss and gradient norm. It is
// linked once with each set of kernels, and so shows whether they compute the same:
//
//   losses 50          losses 50 bf16

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

#include "kernels/adamw.h"
#include "kernels/model_config.h"
#include "trainer/model/initial_weights.h"
#include "trainer/model/learner.h"

namespace andrea {
namespace {

constexpr ModelConfig kModel{
    .layers = 2, .heads = 2, .width = 32, .mlp_width = 128, .vocabulary = 97, .context = 24};
constexpr int kSequences = 4;
constexpr float kMaxNorm = 1;

void train(int steps, Precision precision) {
  ModelConfig config = kModel;
  config.precision = precision;
  Learner learner(config, kSequences, config.context);
  learner.parameters().upload(initial_weights(learner.layout(), InitialScale::gpt2, /*seed=*/1));
  std::mt19937 random(7);
  const std::size_t N = static_cast<std::size_t>(kSequences * kModel.context);
  std::vector<int> tokens(N), targets(N);
  for (int step = 1; step <= steps; ++step) {
    // Something to learn: the next token is the last one and 7.
    for (std::size_t n = 0; n < N; ++n) {
      tokens[n] = static_cast<int>(random() % kModel.vocabulary);
      targets[n] = (tokens[n] + 7) % kModel.vocabulary;
    }
    learner.begin({.step = step, .learning_rate = 3e-3f});
    const double loss = learner.accumulate(tokens, targets, 1.0f / static_cast<float>(N), true);
    const double norm = learner.update(AdamWOptions{}, kMaxNorm);
    std::printf("%.9g %.9g\n", loss / static_cast<double>(N), norm);
  }
}

}  // namespace
}  // namespace andrea

int main(int count, char** arguments) {
  const bool bf16 = count > 2 && std::string_view(arguments[2]) == "bf16";
  andrea::train(std::atoi(arguments[1]), bf16 ? andrea::Precision::bf16 : andrea::Precision::fp32);
}
