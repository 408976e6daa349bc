// Trains a small model for some steps, going on from the checkpoint in a folder if there is one,
// and leaves another there: carry_over STEPS FOLDER. Prints each loss. It is linked once with each
// set of kernels, and so shows whether one goes on where another stopped.

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "kernels/model_config.h"
#include "trainer/checkpoint/checkpoint.h"
#include "trainer/model/initial_weights.h"
#include "trainer/model/learner.h"
#include "trainer/tokenizer/tokenizer.h"

namespace andrea {
namespace {

constexpr ModelConfig kModel{
    .layers = 2, .heads = 2, .width = 32, .mlp_width = 128, .vocabulary = 257, .context = 24};
constexpr int kSequences = 4;
constexpr int kMicroBatches = 2;
constexpr int kTokens = kSequences * kModel.context;
constexpr StepPlan kPlan{.gradient_scale = 1.0f / (kTokens * kMicroBatches), .max_norm = 1};

// Something to learn: the next token is the last one and 7.
void stage(Learner& learner, std::int64_t step) {
  std::mt19937 random(static_cast<unsigned>(step));
  std::vector<int> tokens(kTokens), targets(kTokens);
  for (int micro = 0; micro < kMicroBatches; ++micro) {
    for (std::size_t n = 0; n < kTokens; ++n) {
      tokens[n] = static_cast<int>(random() % kModel.vocabulary);
      targets[n] = (tokens[n] + 7) % kModel.vocabulary;
    }
    learner.stage(micro, tokens, targets);
  }
}

void train(int steps, const std::filesystem::path& folder) {
  Learner learner(kModel, kSequences, kModel.context, kMicroBatches);
  TrainingState state{.seed = 1};
  if (const auto found = find_checkpoint(folder); found.has_value()) {
    state = load_checkpoint(found->folder, learner);
  } else {
    learner.parameters().upload(initial_weights(learner.layout(), InitialScale::gpt2, state.seed));
  }
  for (const std::int64_t last = state.step + steps; state.step < last;) {
    ++state.step;
    stage(learner, state.step);
    learner.begin({.step = state.step, .seed = state.seed, .learning_rate = 3e-3f});
    learner.enqueue_step(kPlan);
    std::printf("%.9g\n", learner.outcome().loss / (kTokens * kMicroBatches));
  }
  save_checkpoint(folder, state, learner, Tokenizer({}), /*keep=*/1);
}

}  // namespace
}  // namespace andrea

int main(int, char** arguments) { andrea::train(std::atoi(arguments[1]), arguments[2]); }
