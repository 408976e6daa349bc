#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/random.h"
#include "trainer/commands/command.h"
#include "trainer/commands/command_line.h"
#include "trainer/model/decoder.h"
#include "trainer/model/estimate.h"
#include "trainer/model/initial_weights.h"
#include "trainer/model/learner.h"
#include "trainer/model/preset.h"
#include "trainer/run/gemm_ceiling.h"
#include "trainer/run/run_data.h"
#include "trainer/tokenizer/tokenizer_trainer.h"

namespace andrea {
namespace {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<int> random_tokens(const ModelConfig& config, int count, Random& random) {
  std::vector<int> tokens(static_cast<std::size_t>(count));
  for (int& token : tokens) {
    token = static_cast<int>(random.below(static_cast<std::uint64_t>(config.vocabulary)));
  }
  return tokens;
}

// One training step (forward, backward, clipping, AdamW) against all its matrix products alone, the
// two in turn so that a change of the machine's speed meets both.
void bench_training(const ModelConfig& config, int B, int T, int repeats) {
  Learner learner(config, B, T);
  learner.parameters().upload(initial_weights(learner.layout(), InitialScale::gpt2, 1));
  Random random(1);
  const std::vector<int> tokens = random_tokens(config, B * T, random);
  const std::vector<int> targets = random_tokens(config, B * T, random);
  std::int64_t step = 0;
  const auto train_step = [&] {
    learner.begin({.step = ++step, .learning_rate = 1e-4f});
    learner.accumulate(tokens, targets, 1.0f / static_cast<float>(B * T), true);
    learner.update({}, 1.0f);
  };
  train_step();  // compiles the products' kernels and touches all memory

  std::vector<double> floors;
  std::vector<double> steps;
  std::vector<double> ratios;
  for (int i = 0; i < repeats; ++i) {
    floors.push_back(gemm_floor_seconds(config, B * T, 1));
    steps.push_back(seconds_of(train_step));
    ratios.push_back(floors.back() / steps.back());
  }
  const double floor = median(floors);
  const double seconds = median(steps);
  std::printf(
      "  B=%d T=%-5d  step %8.1f ms   products alone %8.1f ms (%.0f GFLOP/s)   share %.3f"
      "   %s tokens/s\n",
      B, T, 1e3 * seconds, 1e3 * floor, training_flops_per_token(config, 0) * B * T / floor / 1e9,
      median(ratios), with_separators(static_cast<long long>(B * T / seconds)).c_str());
}

// The best speed at which this machine reads memory, all threads together, in bytes a second.
double memory_bandwidth(const DeviceBuffer<float>& buffer) {
  const float* data = buffer.data();
  const std::int64_t count = buffer.size();
  double best = 0;
  for (int pass = 0; pass < 5; ++pass) {
    const double seconds = seconds_of([&] {
      constexpr std::int64_t kPiece = 1 << 16;
#pragma omp parallel for schedule(static)
      for (std::int64_t first = 0; first < count; first += kPiece) {
        const std::int64_t last = std::min(first + kPiece, count);
        float sums[64] = {};
        for (std::int64_t i = first; i + 64 <= last; i += 64) {
          for (int lane = 0; lane < 64; ++lane) sums[lane] += data[i + lane];
        }
        float total = 0;
        for (const float sum : sums) total += sum;
        volatile float kept = total;
        (void)kept;
      }
    });
    best = std::max(best, static_cast<double>(buffer.bytes()) / seconds);
  }
  return best;
}

// A token sampled reads every weight that is multiplied with once; what memory allows is the floor.
void bench_sampling(const ModelConfig& config, int tokens) {
  const ParameterLayout layout(config);
  const DeviceBuffer<float> parameters(
      std::span<const float>(initial_weights(layout, InitialScale::gpt2, 1)));
  Decoder decoder(layout, parameters);
  const int start = 257;
  decoder.feed({&start, 1});
  const double weights = training_flops_per_token(config, 0) / 6 * sizeof(float);
  std::vector<double> shares;
  std::vector<double> times;
  double bandwidth = 0;
  for (int pass = 0; pass < 5; ++pass) {
    bandwidth = memory_bandwidth(parameters);
    decoder.restart();
    const double seconds = seconds_of([&] {
                             for (int i = 0; i < tokens; ++i) decoder.feed({&start, 1});
                           }) /
                           tokens;
    times.push_back(seconds);
    shares.push_back(weights / bandwidth / seconds);
  }
  std::printf(
      "  a token %8.2f ms   reading its weights alone %8.2f ms (%s a token, %.0f GB/s)   "
      "share %.3f\n",
      1e3 * median(times), 1e3 * weights / bandwidth, readable_bytes(weights).c_str(),
      bandwidth / 1e9, median(shares));
}

void bench_tokenizer(const DataOptions& data, int vocabulary) {
  const auto source = open_documents(data);
  std::string all;
  for (std::string document; all.size() < 8'000'000 && source->next(&document);) all += document;
  std::vector<int> tokens;
  TokenizerTrainer trainer;
  trainer.add(all);
  const double counting_and_merging = seconds_of([&] { (void)trainer.train(vocabulary); });
  const Tokenizer tokenizer = trainer.train(vocabulary);
  const double encoding = seconds_of([&] { tokenizer.encode(all, &tokens); });
  std::printf(
      "  %s of text: %s merges in %.2f s; encoding %.1f MB/s on one core, %.2f bytes a token\n",
      readable_bytes(static_cast<double>(all.size())).c_str(),
      with_separators(tokenizer.vocabulary() - Tokenizer::kFirstMerge).c_str(),
      counting_and_merging, static_cast<double>(all.size()) / encoding / 1e6,
      static_cast<double>(all.size()) / static_cast<double>(tokens.size()));
}

}  // namespace

int run_bench(const std::vector<std::string>& arguments) {
  std::string part = "all";
  std::string preset = "120m";
  DataOptions data;
  int repeats = 7;
  CLI::App app("Measures this machine's speed against its limits, both in the same run.",
               "andrea bench");
  app.option_defaults()->always_capture_default();
  app.add_option("part", part, "training, sampling, tokenizer or all");
  app.add_option("--preset", preset, "the model to measure with");
  app.add_option("--text", data.text, "English text for the tokenizer; without it, the stories")
      ->type_name("PATH");
  app.add_option("--repeats", repeats, "of each training measurement; medians are printed");
  add_threads_flag(app);
  KernelChoice choice;
  add_kernel_flags(app, choice.kernels, choice.use);
  if (!parse(app, arguments)) return 0;
  check_kernel_choice(choice);
  const std::vector<std::string> parts = {"training", "sampling", "tokenizer", "all"};
  require(std::find(parts.begin(), parts.end(), part) != parts.end(),
          "andrea bench measures "
          "training, sampling, tokenizer or all, not '",
          part, "'");
  require(repeats >= 1, "--repeats is ", repeats, "; it must be at least 1");
  const ModelConfig& config = find_preset(preset).model;

  const std::size_t need = estimate_training_memory(config, 1, config.context).total();
  require(available_memory() == 0 || need <= available_memory(), preset, " needs ",
          readable_bytes(static_cast<double>(need)), " of memory here; take a smaller --preset");

  std::printf("%s, %d threads\n", preset.c_str(), omp_get_max_threads());
  const auto wanted = [&part](const char* name) { return part == name || part == "all"; };
  if (wanted("training")) {
    std::printf("Training: a step against its matrix products alone\n");
    const int T = std::min(config.context, 1024);
    bench_training(config, 4, std::min(T, 64), repeats);
    bench_training(config, 1, T, std::max(1, repeats / 2));
  }
  if (wanted("sampling")) {
    std::printf("Sampling with the cache: a token against reading its weights alone\n");
    bench_sampling(config, std::min(64, config.context));
  }
  if (wanted("tokenizer")) {
    std::printf("Tokenizer\n");
    bench_tokenizer(data, 8449);
  }
  return 0;
}

}  // namespace andrea
