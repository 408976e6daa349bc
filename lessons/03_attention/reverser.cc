#include "lessons/03_attention/reverser.h"

#include <algorithm>
#include <cmath>

#include "kernels/adamw.h"
#include "kernels/cross_entropy.h"
#include "kernels/dot_similarity.h"
#include "kernels/embedding.h"
#include "kernels/linear.h"

namespace andrea {
namespace {

constexpr int kLetters = Reverser::kLetters;
constexpr int kBar = 26;
constexpr int kVocabulary = 27;  // a to z, and the bar
constexpr int kTime = 2 * kLetters;
constexpr int kBatch = 64;
constexpr int kWidth = 32;
constexpr int kHeads = 2;
constexpr int kRows = kBatch * kTime;
constexpr float kLearningRate = 0.01f;
constexpr int kNotCounted = -1;

std::size_t largest_scratch(const AttentionShape& shape) {
  return std::max(
      {attention_scratch_bytes(shape), embedding_scratch_bytes(kBatch, kTime, kWidth, kVocabulary),
       linear_scratch_bytes(kRows, kWidth, 3 * kWidth), linear_scratch_bytes(kRows, kWidth, kWidth),
       dot_similarity_scratch_bytes(kRows, kVocabulary, kWidth)});
}

// What is read: the letters, the bar, and the first of the letters backwards.
void write_tokens(const std::string& letters, const std::string& backwards, int* tokens) {
  for (int t = 0; t < kLetters; ++t) tokens[t] = letters[static_cast<std::size_t>(t)] - 'a';
  tokens[kLetters] = kBar;
  for (int t = kLetters + 1; t < kTime; ++t) {
    const auto k = static_cast<std::size_t>(t - kLetters - 1);
    tokens[t] = k < backwards.size() ? backwards[k] - 'a' : kBar;
  }
}

std::string backwards(const std::string& letters) { return {letters.rbegin(), letters.rend()}; }

}  // namespace

Reverser::Layout Reverser::layout() {
  Layout at{};
  const auto take = [&](std::int64_t& begin, std::int64_t count) {
    begin = at.size;
    at.size += count;
  };
  take(at.token_table, kVocabulary * kWidth);
  take(at.position_table, kTime * kWidth);
  take(at.qkv_weight, kWidth * 3 * kWidth);
  take(at.out_weight, kWidth * kWidth);
  take(at.output_table, kVocabulary * kWidth);
  take(at.qkv_bias, 3 * kWidth);
  take(at.out_bias, kWidth);
  return at;
}

Reverser::Reverser(std::uint64_t seed)
    : shape_{kBatch, kTime, kWidth, kHeads},
      at_(layout()),
      generator_(seed),
      parameters_(at_.size),
      gradients_(at_.size),
      first_moments_(at_.size),
      second_moments_(at_.size),
      scalars_device_(1),
      tokens_(kRows),
      targets_(kRows),
      embedded_(kRows * kWidth),
      qkv_(kRows * 3 * kWidth),
      attended_(kRows * kWidth),
      stream_(kRows * kWidth),
      logits_(kRows * kVocabulary),
      losses_(kRows),
      dembedded_(kRows * kWidth),
      dqkv_(kRows * 3 * kWidth),
      dattended_(kRows * kWidth),
      dstream_(kRows * kWidth),
      saved_(static_cast<std::int64_t>(attention_saved_bytes(shape_))),
      scratch_(static_cast<std::int64_t>(largest_scratch(shape_))) {
  // Sums of kWidth products keep the size of their terms; the biases, at the end, begin as 0.
  std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(kWidth)));
  std::vector<float> values(static_cast<std::size_t>(at_.size));
  for (std::int64_t i = 0; i < at_.qkv_bias; ++i) {
    values[static_cast<std::size_t>(i)] = normal(generator_);
  }
  parameters_.upload(values);
  scalars_.learning_rate = kLearningRate;
  scalars_.step = 0;
}

Launch Reverser::launch() const {
  Launch launch;
  launch.scratch = const_cast<char*>(scratch_.data());
  launch.scratch_bytes = scratch_.bytes();
  return launch;
}

void Reverser::forward(const std::vector<int>& tokens) {
  tokens_.upload(tokens);
  embedding_forward(tokens_.data(), parameter(at_.token_table), parameter(at_.position_table),
                    embedded_.data(), kBatch, kTime, kWidth, launch());
  linear_forward(embedded_.data(), parameter(at_.qkv_weight), parameter(at_.qkv_bias), qkv_.data(),
                 kRows, kWidth, 3 * kWidth, launch());
  attention_forward(qkv_.data(), attended_.data(), saved_.data(), shape_, launch());
  linear_forward(attended_.data(), parameter(at_.out_weight), parameter(at_.out_bias),
                 stream_.data(), kRows, kWidth, kWidth, launch());
  dot_similarity_forward(stream_.data(), parameter(at_.output_table), logits_.data(), kRows,
                         kVocabulary, kWidth, kVocabulary, launch());
}

double Reverser::train() {
  std::vector<int> tokens(kRows), targets(kRows, kNotCounted);
  for (int b = 0; b < kBatch; ++b) {
    const std::string letters = random_letters();
    write_tokens(letters, backwards(letters), &tokens[static_cast<std::size_t>(b * kTime)]);
    for (int k = 0; k < kLetters; ++k) {
      targets[static_cast<std::size_t>(b * kTime + kLetters + k)] =
          backwards(letters)[static_cast<std::size_t>(k)] - 'a';
    }
  }
  targets_.upload(targets);
  ++scalars_.step;
  scalars_device_.upload(std::span<const StepScalars>(&scalars_, 1));

  forward(tokens);
  constexpr int kCounted = kBatch * kLetters;
  constexpr Accumulate kOverwrite = Accumulate::overwrite;
  cross_entropy_forward_backward(logits_.data(), targets_.data(), losses_.data(), 1.0f / kCounted,
                                 kRows, kVocabulary, kVocabulary, launch());
  dot_similarity_backward(logits_.data(), stream_.data(), parameter(at_.output_table),
                          dstream_.data(), gradient(at_.output_table), kRows, kVocabulary, kWidth,
                          kVocabulary, kOverwrite, launch());
  linear_backward(dstream_.data(), attended_.data(), parameter(at_.out_weight), dattended_.data(),
                  gradient(at_.out_weight), gradient(at_.out_bias), kRows, kWidth, kWidth,
                  kOverwrite, launch());
  attention_backward(dattended_.data(), qkv_.data(), attended_.data(), saved_.data(), dqkv_.data(),
                     shape_, launch());
  linear_backward(dqkv_.data(), embedded_.data(), parameter(at_.qkv_weight), dembedded_.data(),
                  gradient(at_.qkv_weight), gradient(at_.qkv_bias), kRows, kWidth, 3 * kWidth,
                  kOverwrite, launch());
  embedding_backward(dembedded_.data(), tokens_.data(), gradient(at_.token_table),
                     gradient(at_.position_table), kBatch, kTime, kWidth, kVocabulary, kOverwrite,
                     launch());
  AdamWOptions options;
  options.weight_decay = 0;
  adamw(parameters_.data(), gradients_.data(), first_moments_.data(), second_moments_.data(),
        at_.size, 0, options, scalars_device_.data(), launch());

  double sum = 0;
  for (const float loss : losses_.to_host()) sum += static_cast<double>(loss);
  return sum / kCounted;
}

std::vector<std::string> Reverser::continuations(const std::vector<std::string>& sequences) {
  std::vector<std::string> written(sequences.size());
  for (int k = 0; k < kLetters; ++k) {
    std::vector<int> tokens(kRows, kBar);
    for (std::size_t b = 0; b < sequences.size(); ++b) {
      write_tokens(sequences[b], written[b], &tokens[b * kTime]);
    }
    forward(tokens);
    const std::vector<float> logits = logits_.to_host();
    for (std::size_t b = 0; b < sequences.size(); ++b) {
      const auto row =
          logits.begin() + (static_cast<std::ptrdiff_t>(b) * kTime + kLetters + k) * kVocabulary;
      const auto best = std::max_element(row, row + kBar) - row;
      written[b] += static_cast<char>('a' + best);
    }
  }
  return written;
}

std::string Reverser::random_letters() {
  std::uniform_int_distribution<int> letter('a', 'z');
  std::string letters;
  for (int k = 0; k < kLetters; ++k) letters += static_cast<char>(letter(generator_));
  return letters;
}

std::string Reverser::continuation(const std::string& letters) {
  return continuations({letters}).front();
}

double Reverser::accuracy() {
  std::vector<std::string> sequences;
  for (int b = 0; b < kBatch; ++b) sequences.push_back(random_letters());
  const std::vector<std::string> written = continuations(sequences);
  int right = 0;
  for (std::size_t b = 0; b < sequences.size(); ++b) {
    const std::string expected = backwards(sequences[b]);
    for (std::size_t k = 0; k < expected.size(); ++k) right += written[b][k] == expected[k];
  }
  return static_cast<double>(right) / (kBatch * kLetters);
}

}  // namespace andrea
