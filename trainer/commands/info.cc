#include <omp.h>
#include <simulator/reports.h>

#include <cstdio>
#include <string>

#include "kernels/origins.h"
#include "kernels/parameter_layout.h"
#include "kernels/training_pass.h"
#include "trainer/base/error.h"
#include "trainer/commands/command.h"
#include "trainer/commands/train_flags.h"
#include "trainer/model/estimate.h"
#include "trainer/run/gemm_ceiling.h"
#include "trainer/run/progress.h"

namespace andrea {
namespace {

void row(const std::string& what, const std::string& detail, const std::string& value) {
  std::printf("  %-28s %-22s %16s\n", what.c_str(), detail.c_str(), value.c_str());
}

void row(const std::string& what, const std::string& detail, long long value) {
  row(what, detail, with_separators(value));
}

// The parameters of all tensors whose name contains one of the words, in block 0 or outside blocks.
long long count(const ParameterLayout& layout, bool in_block,
                const std::vector<std::string>& words) {
  long long total = 0;
  for (const ParameterTensor& tensor : layout.tensors()) {
    const bool of_block = tensor.name.find(".h.") != std::string::npos;
    if (of_block != in_block) continue;
    if (of_block && tensor.name.find(".h.0.") == std::string::npos) continue;
    for (const std::string& word : words) {
      if (tensor.name.find(word) == std::string::npos) continue;
      total += tensor.count();
      break;
    }
  }
  return total;
}

void print_parameters(const ModelConfig& config) {
  const ParameterLayout layout(config);
  const std::string C = with_separators(config.width);
  const std::string V = with_separators(config.vocabulary);
  std::printf("Parameters\n");
  row("token table", V + " x " + C, count(layout, false, {"wte"}));
  row("position table", with_separators(config.context) + " x " + C, count(layout, false, {"wpe"}));
  const long long block = count(layout, true, {""});
  row("attention weights", "a block",
      count(layout, true, {"attn.c_attn.weight", "attn.c_proj.weight"}));
  row("MLP weights", "a block", count(layout, true, {"mlp.c_fc.weight", "mlp.c_proj.weight"}));
  row("biases", "a block", count(layout, true, {"c_attn.bias", "c_proj.bias", "c_fc.bias"}));
  row("layer norms", "a block", count(layout, true, {"ln_1", "ln_2"}));
  row("blocks", std::to_string(config.layers) + " x " + with_separators(block),
      config.layers * block);
  row("last layer norm", "", count(layout, false, {"ln_f"}));
  row("output table", config.tied ? "tied: the token table" : V + " x " + C,
      count(layout, false, {"lm_head"}));
  row("total", "", layout.parameter_count());
}

void print_memory(const MemoryEstimate& memory, int B, int T) {
  const auto line = [](const std::string& what, std::size_t bytes) {
    if (bytes > 0) row(what, "", readable_bytes(static_cast<double>(bytes)));
  };
  std::printf("\nMemory for training, %d x %s tokens at a time\n", B, with_separators(T).c_str());
  for (const MemoryPart& part : memory_parts()) line(part.name, memory.*part.bytes);
  line("total", memory.total());
  line("free on this machine", available_memory());
}

void print_time(const TrainOptions& options) {
  const ModelConfig& config = options.model;
  const int N = options.batch * config.context;
  const double flops = training_flops_per_token(config, config.context);
  const double ceiling = gemm_ceiling(config, N);
  const double tokens =
      static_cast<double>(N) * options.accumulate * static_cast<double>(options.steps);
  // What the training loop reaches of the ceiling is measured by `andrea bench`.
  const double seconds = flops * tokens / ceiling;
  std::printf("\nArithmetic and time\n");
  char arithmetic[40];
  std::snprintf(arithmetic, sizeof arithmetic, flops < 1e7 ? "%.2f MFLOP" : "%.0f MFLOP",
                flops / 1e6);
  row("arithmetic a token", "forward and backward", arithmetic);
  const std::string who = simulator::simulated()
                              ? std::to_string(omp_get_max_threads()) + " threads"
                              : "the card, by cuBLAS";
  row("matrix products here", who,
      std::to_string(static_cast<long long>(ceiling / 1e9)) + " GFLOP/s");
  row("tokens in the run", with_separators(options.steps) + " steps",
      static_cast<long long>(tokens));
  row("time at that speed", "at the very least", readable_duration(seconds));
}

}  // namespace

int run_info(const std::vector<std::string>& arguments) {
  const ParsedTrainOptions parsed =
      parse_train_options(arguments, "info",
                          "Says what a model costs: parameters, memory, arithmetic and time. Takes "
                          "the flags of `andrea train`.");
  if (parsed.help) return 0;
  const TrainOptions& options = parsed.options;
  std::printf("%s: %d layers, %d heads of %d, width %d, MLP %d, vocabulary %s, context %s\n\n",
              options.preset.c_str(), options.model.layers, options.model.heads,
              options.model.head_size(), options.model.width, options.model.mlp_width,
              with_separators(options.model.vocabulary).c_str(),
              with_separators(options.model.context).c_str());
  print_parameters(options.model);
  const std::string refusal = training_pass_supports(options.model);
  const MemoryEstimate memory =
      refusal.empty() ? estimate_run_memory(options.model, options.batch, options.accumulate)
                      : MemoryEstimate{};
  const std::size_t need = memory.total();
  if (refusal.empty()) print_memory(memory, options.batch, options.model.context);
  if (!refusal.empty()) {
    std::printf("\nThese kernels cannot train it, so that memory and time are not known: %s.\n",
                refusal.c_str());
  } else if (!simulator::simulated() && available_memory() == 0) {
    std::printf("\nNo CUDA device here: its time is not estimated.\n");
  } else if (available_memory() == 0 || need <= available_memory()) {
    print_time(options);
  } else {
    std::printf("\nToo large for this machine: its time is not estimated.\n");
  }
  std::printf("\nKernels\n");
  for (const KernelOrigin& origin : kernel_origins()) {
    std::printf("  %-28s %s\n", std::string(origin.operation).c_str(),
                std::string(origin.implementation).c_str());
  }
  return 0;
}

}  // namespace andrea
