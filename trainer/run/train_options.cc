#include "trainer/run/train_options.h"

#include <algorithm>

#include "trainer/base/error.h"
#include "trainer/model/preset.h"

namespace andrea {
namespace {

template <typename Number>
void at_least(const char* name, Number value, Number least) {
  require(value >= least, "--", name, " is ", value, "; it must be at least ", least);
}

void between(const char* name, double value, double least, double most) {
  require(value >= least && value <= most, "--", name, " is ", value, "; it must be between ",
          least, " and ", most);
}

}  // namespace

std::string precision_name(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return "fp32";
    case Precision::tf32:
      return "tf32";
    case Precision::bf16:
      return "bf16";
  }
  return "";
}

void settle(TrainOptions& options) {
  ModelConfig& model = options.model;
  if (model.mlp_width == 0 && model.width <= kWidest) model.mlp_width = 4 * model.width;
  check_shape(model);
  at_least("batch", options.batch, 1);
  between("accumulate", options.accumulate, 1, 1 << 20);
  const double rows = static_cast<double>(options.batch) * options.model.context;
  require(rows <= 1 << 24, "--batch ", options.batch, " times --context ", options.model.context,
          " is more tokens than one micro-batch holds (16,777,216); use --accumulate");
  at_least<std::int64_t>("steps", options.steps, 1);
  at_least<std::int64_t>("warmup", options.warmup, 0);
  require(options.learning_rate > 0 && options.learning_rate <= 1e30, "--learning-rate is ",
          options.learning_rate, "; it must be above 0 and at most 1e30");
  between("final-learning-rate", options.final_learning_rate, 0, 1);
  between("beta1", options.adamw.beta1, 0, 0.9999999);
  between("beta2", options.adamw.beta2, 0, 0.9999999);
  between("weight-decay", options.adamw.weight_decay, 0, 1e3);
  require(options.adamw.epsilon > 0 && options.adamw.epsilon <= 1, "--epsilon is ",
          options.adamw.epsilon, "; it must be above 0 and at most 1");
  between("clip", options.clip, 0, 1e30);
  between("validation-fraction", options.data.validation_fraction, 1e-6, 0.9);
  at_least<std::int64_t>("stories", options.data.stories, 2);
  at_least<std::int64_t>("validate-every", options.validate_every, 0);
  at_least("validation-rows", options.validation_rows, 1);
  at_least<std::int64_t>("sample-every", options.sample_every, 0);
  at_least<std::int64_t>("checkpoint-every", options.checkpoint_every, 0);
  at_least("keep", options.keep, 0);

  const auto default_to = [&options](std::int64_t& every, std::int64_t parts, std::int64_t least,
                                     std::int64_t most) {
    if (every == 0) every = std::clamp<std::int64_t>(options.steps / parts, least, most);
  };
  default_to(options.validate_every, 20, 10, 1000);
  default_to(options.sample_every, 8, 25, 2000);
  default_to(options.checkpoint_every, 10, 1, 500);
}

}  // namespace andrea
