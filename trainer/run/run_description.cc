#include "trainer/run/run_description.h"

#include <nlohmann/json.hpp>

namespace andrea {
namespace {

using Json = nlohmann::ordered_json;

Json shape_of(const ModelConfig& model) {
  return {
      {"layers", model.layers},       {"heads", model.heads},           {"width", model.width},
      {"mlp_width", model.mlp_width}, {"vocabulary", model.vocabulary}, {"context", model.context},
      {"tied", model.tied},           {"biases", model.biases}};
}

Json options_of(const TrainOptions& options, const ModelConfig& model) {
  return {{"preset", options.preset},
          {"batch", options.batch},
          {"accumulate", options.accumulate},
          {"learning_rate", options.learning_rate},
          {"final_learning_rate", options.final_learning_rate},
          {"warmup", options.warmup},
          {"beta1", options.adamw.beta1},
          {"beta2", options.adamw.beta2},
          {"weight_decay", options.adamw.weight_decay},
          {"clip", options.clip},
          {"seed", options.seed},
          {"precision", precision_name(model.precision)},
          {"recompute", model.recompute}};
}

Json names_of(std::span<const KernelOrigin> kernels) {
  Json names = Json::array();
  for (const KernelOrigin& origin : kernels) {
    names.push_back({{"operation", origin.operation}, {"implementation", origin.implementation}});
  }
  return names;
}

}  // namespace

std::string run_json(const RunDescription& run) {
  Json json = {
      {"name", run.name},
      {"status", run.status},
      {"corpus", run.corpus},
      {"parameters", run.parameters},
      {"steps", run.options.steps},
      {"seconds", run.seconds},
      {"shape", shape_of(run.model)},
      {"options", options_of(run.options, run.model)},
      {"kernels", names_of(run.kernels)},
      {"machine", run.machine},
      {"unigram_bits_per_byte", run.limits.unigram},
  };
  if (run.limits.source_entropy.has_value()) {
    json["entropy_bits_per_byte"] = *run.limits.source_entropy;
  }
  if (run.limits.validation_exact.has_value()) {
    json["validation_exact_bits_per_byte"] = *run.limits.validation_exact;
  }
  return json.dump(2) + "\n";
}

}  // namespace andrea
