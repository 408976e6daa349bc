// The logit lens: what would a trained model say if it ended behind its first blocks?
//
//   bazel run //lessons/07_full_model:logit_lens -- --checkpoint runs/nano --prompt "Max was a shy"
//
// Without flags it is the newest run below runs/, and a prompt of ours. Prints what each position
// of the prompt would be followed by, behind so many blocks, and how much is lost there on the
// run's validation text, by what comes next.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/transformer.h"
#include "lessons/07_full_model/logit_lens.h"
#include "lessons/07_full_model/token_kind.h"
#include "trainer/base/error.h"
#include "trainer/checkpoint/model_folder.h"
#include "trainer/commands/checkpoint_choice.h"
#include "trainer/commands/command_line.h"
#include "trainer/corpus/corpus.h"
#include "trainer/corpus/document_packing.h"
#include "trainer/run/run_folder.h"
#include "trainer/tokenizer/tokenizer.h"
#include "trainer/tokenizer/utf8.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrompt =
    "Max was a shy beaver who loved warm buns and painting. One rainy Tuesday evening, he lost his";
constexpr int kMostColumns = 7;        // of the table, so that it fits on a screen
constexpr std::size_t kRows = 400;     // of validation text
constexpr std::size_t kMostShown = 7;  // characters of a token

constexpr std::size_t kKinds = 4;
constexpr std::array<const char*, kKinds> kKindNames = {"function word", "other word",
                                                        "rest of a word", "sign"};

// A token between quotes, cut short; its width is that of `cell` characters.
std::string shown(const Tokenizer& tokenizer, int token, std::size_t cell) {
  std::string text = token == Tokenizer::kBos ? "(start)" : "\"";
  std::size_t width = text.size();
  std::string_view rest = tokenizer.piece(token);
  while (!rest.empty()) {
    if (width > kMostShown) {
      text += "~";
      ++width;
      break;
    }
    const Utf8Sequence first = first_utf8_sequence(rest);
    const auto byte = static_cast<unsigned char>(rest[0]);
    if (first.kind == Utf8Sequence::Kind::character && byte >= 0x20 && byte != 0x7f) {
      text += rest.substr(0, first.bytes);
      ++width;
      rest.remove_prefix(first.bytes);
    } else {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
      text += escaped;
      width += 4;
      rest.remove_prefix(1);
    }
  }
  if (token != Tokenizer::kBos) {
    text += "\"";
    ++width;
  }
  return text + std::string(cell > width ? cell - width : 1, ' ');
}

// 0 to L, or kMostColumns of these with both ends.
std::vector<int> columns_of(int layers) {
  const int count = std::min(layers + 1, kMostColumns);
  std::vector<int> columns;
  for (int i = 0; i < count; ++i) columns.push_back(i * layers / (count - 1));
  return columns;
}

// The prompt behind the token that begins a text.
std::vector<int> tokens_of(const LoadedModel& model, const std::string& prompt) {
  std::vector<int> tokens = {Tokenizer::kBos};
  model.tokenizer.encode(prompt, &tokens);
  require(tokens.size() > 1, "the prompt is empty; name some words, or leave --prompt out");
  require(static_cast<int>(tokens.size()) <= model.config.context, "the prompt has ",
          tokens.size() - 1, " tokens, and one begins the text; the model takes ",
          model.config.context, " in all");
  return tokens;
}

void print_predictions(const LoadedModel& model, LogitLens& lens, std::span<const int> tokens) {
  constexpr std::size_t kCell = 16;
  lens.read(tokens);
  const std::vector<int> columns = columns_of(model.config.layers);
  std::vector<std::vector<float>> logits;
  std::printf("The likeliest next token, and its probability, behind so many blocks:\n\n  %-12s",
              "read");
  for (const int blocks : columns) {
    logits.push_back(lens.logits(blocks));
    std::printf("%-*d", static_cast<int>(kCell), blocks);
  }
  std::printf("\n");
  const auto stride = static_cast<std::size_t>(model.config.padded_vocabulary());
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    std::string line = "  " + shown(model.tokenizer, tokens[t], 12);
    for (const std::vector<float>& all : logits) {
      const auto row =
          std::span(all).subspan(t * stride, static_cast<std::size_t>(model.config.vocabulary));
      const auto best = std::max_element(row.begin(), row.end());
      double sum = 0;
      for (const float logit : row) sum += std::exp(static_cast<double>(logit - *best));
      char probability[16];
      std::snprintf(probability, sizeof probability, "%.2f ", 1 / sum);
      line += shown(model.tokenizer, static_cast<int>(best - row.begin()), kCell - 5) + probability;
    }
    std::printf("%s\n", line.substr(0, line.find_last_not_of(' ') + 1).c_str());
  }
}

void print_losses(const LoadedModel& model, LogitLens& lens, const TokenShards& text) {
  const auto T = static_cast<std::size_t>(model.config.context);
  const auto layers = static_cast<std::size_t>(model.config.layers);
  std::array<std::int64_t, kKinds> counts{};
  std::vector<std::array<double, kKinds>> sums(layers + 1);
  std::vector<int> inputs(T), targets(T);
  for (const PackedRow& row :
       choose_evenly(pack_documents(text, static_cast<std::int64_t>(T)), kRows)) {
    read_row(text, row, static_cast<std::int64_t>(T), inputs.data(), targets.data());
    const auto length = static_cast<std::size_t>(row.length);
    std::vector<int> tokens = {inputs[0]};
    tokens.insert(tokens.end(), targets.begin(), targets.begin() + row.length);
    std::vector<std::size_t> kinds;
    for (std::size_t t = 0; t < length; ++t) {
      kinds.push_back(static_cast<std::size_t>(token_kind(model.tokenizer, tokens, t + 1)));
      ++counts[kinds[t]];
    }
    lens.read(inputs);
    for (std::size_t blocks = 0; blocks <= layers; ++blocks) {
      const std::vector<float> losses = lens.losses(static_cast<int>(blocks), targets);
      for (std::size_t t = 0; t < length; ++t) {
        sums[blocks][kinds[t]] += static_cast<double>(losses[t]);
      }
    }
  }
  std::printf("\nThe mean loss on validation text, in nats, by what comes next:\n\n  %-8s %14s",
              "blocks", "all");
  for (const char* name : kKindNames) std::printf(" %14s", name);
  std::printf("\n");
  const auto total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  for (std::size_t blocks = 0; blocks <= layers; ++blocks) {
    const auto& of = sums[blocks];
    std::printf("  %-8zu %14.3f", blocks,
                std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(total));
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      std::printf(" %14.3f",
                  of[kind] / static_cast<double>(std::max<std::int64_t>(counts[kind], 1)));
    }
    std::printf("\n");
  }
  std::printf("  %-8s %14lld", "tokens", static_cast<long long>(total));
  for (const std::int64_t count : counts) std::printf(" %14lld", static_cast<long long>(count));
  std::printf("\n");
}

int run(const std::vector<std::string>& arguments) {
  // Bazel runs programs in a folder of its own, and tells where it was called.
  if (const char* caller = std::getenv("BUILD_WORKING_DIRECTORY")) fs::current_path(caller);
  std::string checkpoint, prompt = kPrompt;
  CLI::App app("Tells what a trained model would say behind each of its blocks.", "logit_lens");
  app.option_defaults()->always_capture_default();
  app.add_option("--checkpoint", checkpoint,
                 "a run, a checkpoint of one, or a model; without it, the newest run")
      ->type_name("PATH");
  app.add_option("--prompt", prompt, "the text whose positions are looked at");
  if (!parse(app, arguments)) return 0;

  const fs::path folder = choose_checkpoint(checkpoint);
  const LoadedModel model = read_model(folder);
  const std::string refusal = transformer_supports(model.config);
  require(refusal.empty(), "this model cannot be looked into: ", refusal);
  const std::vector<int> tokens = tokens_of(model, prompt);
  const ParameterLayout layout(model.config);
  const DeviceBuffer<float> parameters(std::span<const float>(model.parameters));
  LogitLens lens(layout, parameters);
  std::printf("%s: %d blocks\n\n", folder.c_str(), model.config.layers);
  print_predictions(model, lens, tokens);

  // <run>/checkpoints/<checkpoint>
  const RunFolder of_model{fs::absolute(folder).lexically_normal().parent_path().parent_path()};
  if (fs::exists(of_model.data())) {
    print_losses(model, lens, Corpus(of_model.data()).validation());
  } else {
    std::printf("\nThere is no validation text beside this model, so no losses.\n");
  }
  return 0;
}

}  // namespace
}  // namespace andrea

int main(int count, char** values) {
  try {
    return andrea::run({values + 1, values + count});
  } catch (const std::exception& error) {
    std::cout << std::flush;
    std::cerr << "logit_lens: " << error.what() << "\n";
    return 2;
  }
}
