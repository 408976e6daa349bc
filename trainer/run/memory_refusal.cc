#include "trainer/run/memory_refusal.h"

#include <cstdint>

#include "kernels/training_pass.h"
#include "trainer/base/error.h"
#include "trainer/model/estimate.h"
#include "trainer/run/linked_kernels.h"

namespace andrea {
namespace {

std::string readable(std::size_t bytes) { return readable_bytes(static_cast<double>(bytes)); }

// "; --recompute would make it 1.2 GB", where these kernels can.
std::string by_recomputing(ModelConfig config, int batch, int accumulate) {
  if (config.recompute) return "";
  config.recompute = true;
  if (!training_pass_supports(config).empty()) return "";
  return text("; --recompute would make it ",
              readable(estimate_run_memory(config, batch, accumulate).total()));
}

}  // namespace

std::string memory_refusal(const ModelConfig& config, int batch, int accumulate,
                           std::size_t available) {
  const MemoryEstimate need = estimate_run_memory(config, batch, accumulate);
  if (available == 0 || need.total() <= available) return "";
  const int fitting = largest_batch(config, batch, accumulate, available);
  const std::int64_t sequences = std::int64_t{batch} * accumulate;
  const std::string way_out =
      fitting > 0 ? text("the largest that fits is --batch ", fitting, ", and --accumulate ",
                         (sequences + fitting - 1) / fitting, " makes up for it")
                  : text("not even --batch 1 fits: take a shorter --context (", config.context,
                         ") or a smaller model");
  return text("this run needs ", readable(need.total()), " of ",
              runs_on_a_card() ? "the card's memory" : "memory", " (", parts_of(need), ") and ",
              readable(available), " are free; ", way_out,
              by_recomputing(config, batch, accumulate));
}

std::string out_of_memory(const ModelConfig& config, int batch, int accumulate) {
  const MemoryEstimate need = estimate_run_memory(config, batch, accumulate);
  return text(runs_on_a_card() ? "the card's memory" : "memory", " ran out: this run needs ",
              readable(need.total()), " (", parts_of(need),
              "), and something else has what it lacks; end that, or lower --batch (", batch, ")");
}

}  // namespace andrea
