#include "trainer/model/preset.h"

#include "trainer/base/error.h"

namespace andrea {
namespace {

ModelConfig shape(int layers, int heads, int width, int vocabulary, int context) {
  ModelConfig config;
  config.layers = layers;
  config.heads = heads;
  config.width = width;
  config.mlp_width = 4 * width;
  config.vocabulary = vocabulary;
  config.context = context;
  return config;
}

void check_size(const char* name, int value, int most) {
  require(value >= 1 && value <= most, "--", name, " is ", value, "; it must be between 1 and ",
          most);
}

}  // namespace

const std::vector<Preset>& presets() {
  // Small models of stories see few tokens: the optimiser forgets sooner, and the rate ends low.
  const AdamWOptions short_run{.beta2 = 0.99f, .weight_decay = 0.05f};
  static const std::vector<Preset> all = {
      {.name = "nano",
       .purpose = "seconds a run; small enough for simulated kernels",
       .model = shape(2, 2, 64, 512, 64),
       .batch = 8,
       .accumulate = 1,
       .steps = 400,
       .warmup = 20,
       .learning_rate = 3e-3,
       .stories = 2000},
      {"tiny", "the default: stories in minutes on two cores", shape(4, 8, 128, 2048, 144), 6, 1,
       12000, 200, 3e-3, 0.02, short_run},
      {"12m", "the smallest of the ANDREA family", shape(6, 12, 384, 4353, 1024), 2, 1, 2000, 100,
       1e-3},
      {"120m", "ANDREA-120M", shape(12, 12, 768, 8449, 1024), 1, 8, 200000, 2000, 6e-4},
      {"480m", "the largest of the family", shape(16, 24, 1536, 16641, 1024), 1, 8, 200000, 2000,
       3e-4},
  };
  return all;
}

const Preset& find_preset(const std::string& name) {
  std::string known;
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
    known += (known.empty() ? "" : ", ") + preset.name;
  }
  throw Error(text("there is no preset '", name, "'; the presets are ", known));
}

void check_shape(const ModelConfig& config) {
  check_size("layers", config.layers, 1000);
  check_size("heads", config.heads, 1000);
  check_size("width", config.width, kWidest);
  check_size("mlp-width", config.mlp_width, 262144);
  check_size("context", config.context, 1 << 20);
  check_size("vocabulary", config.vocabulary, 65536);
  require(config.width % config.heads == 0, "--width ", config.width,
          " is not divisible by --heads ", config.heads,
          ": every head owns the same number of columns");
}

}  // namespace andrea
