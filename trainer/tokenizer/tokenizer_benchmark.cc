// Seconds to train 8,192 merges and bytes a second to encode, on files named by absolute paths:
//
//   bazel run //trainer/tokenizer:tokenizer_benchmark -- /FILE...

#include <benchmark/benchmark.h>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/tokenizer/pre_tokenizer.h"
#include "trainer/tokenizer/tokenizer.h"
#include "trainer/tokenizer/tokenizer_trainer.h"

namespace andrea {
namespace {

constexpr int kVocabulary = 8449;

std::string& input() {
  static std::string contents;
  return contents;
}

TokenizerTrainer counted_input() {
  TokenizerTrainer trainer;
  trainer.add(input());
  return trainer;
}

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(input().size()));
}

// Counting the pieces, then merging.
void train(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(counted_input().train(kVocabulary));
  count_bytes(state);
}
BENCHMARK(train)->Unit(benchmark::kMillisecond);

void cut_into_pieces(benchmark::State& state) {
  for (auto _ : state) {
    PreTokenizer pieces(input());
    for (std::string_view piece; pieces.next(&piece);) benchmark::DoNotOptimize(piece);
  }
  count_bytes(state);
}
BENCHMARK(cut_into_pieces)->Unit(benchmark::kMillisecond);

void encode(benchmark::State& state) {
  static const Tokenizer tokenizer = counted_input().train(kVocabulary);
  std::vector<int> ids;
  for (auto _ : state) {
    ids.clear();
    tokenizer.encode(input(), &ids);
  }
  count_bytes(state);
  state.counters["bytes_per_token"] =
      static_cast<double>(input().size()) / static_cast<double>(ids.size());
}
BENCHMARK(encode)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace andrea

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  try {
    for (int i = 1; i < argc; ++i) andrea::input() += andrea::read_file(argv[i]);
    andrea::require(!andrea::input().empty(), "name one or more files of text");
  } catch (const andrea::Error& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
}
