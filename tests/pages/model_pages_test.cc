// The sizes of models in docs/ are those of the presets and of the model's layout.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "kernels/parameter_layout.h"
#include "tests/harness/document.h"
#include "trainer/model/preset.h"

namespace andrea {
namespace {

TEST(NotationTest, SizesOfAndrea120M) {
  const Document page("docs/notation.md");
  const ModelConfig model;
  const auto ends = [&page](std::int64_t size) { return page.has(" | " + grouped(size) + " |\n"); };
  for (const int size :
       {model.context, 8 * model.context, model.width, model.heads, model.head_size(),
        model.mlp_width, model.layers, model.vocabulary, model.padded_vocabulary()}) {
    EXPECT_TRUE(ends(size));
  }
  EXPECT_TRUE(page.has("a multiple of " + std::to_string(kVocabularyMultiple) + ","));
}

// Block 1 stands for all; a bias has no row of its own.
TEST(NotationTest, NamesOfTheModelsTensors) {
  const Document page("docs/notation.md");
  ModelConfig model;
  model.layers = 2;
  const ParameterLayout layout(model);
  for (const ParameterTensor& tensor : layout.tensors()) {
    if (tensor.name.find(".h.0.") != std::string::npos) continue;
    if (tensor.name.ends_with(".bias")) continue;
    EXPECT_TRUE(page.has("\n| `" + tensor.name + "`")) << tensor.name;
  }
}

// "3e-3"
std::string rate(double learning_rate) {
  const int exponent = static_cast<int>(std::floor(std::log10(learning_rate) + 1e-9));
  return text_of_number(learning_rate / std::pow(10, exponent)) + "e" + std::to_string(exponent);
}

std::string batch_of(const Preset& preset) {
  const std::string passes =
      preset.accumulate == 1 ? "" : std::to_string(preset.accumulate) + " x ";
  return passes + std::to_string(preset.batch) + " x " + grouped(preset.model.context);
}

// The row of a property: its name, and what each preset has.
template <typename Of>
std::vector<std::string> row_of_presets(const std::string& name, const Of& of) {
  std::vector<std::string> row = {name};
  for (const Preset& preset : presets()) row.push_back(of(preset));
  return row;
}

TEST(TrainerManualTest, Presets) {
  const Document page("docs/trainer.md");
  const auto is_there = [&](const std::string& name, const auto& of) {
    EXPECT_TRUE(page.has_row(row_of_presets(name, of)));
  };
  is_there("preset", [](const Preset& preset) { return "`" + preset.name + "`"; });
  is_there("layers", [](const Preset& preset) { return std::to_string(preset.model.layers); });
  is_there("heads", [](const Preset& preset) { return std::to_string(preset.model.heads); });
  is_there("width", [](const Preset& preset) { return grouped(preset.model.width); });
  is_there("context", [](const Preset& preset) { return grouped(preset.model.context); });
  is_there("vocabulary", [](const Preset& preset) { return grouped(preset.model.vocabulary); });
  is_there("batch", batch_of);
  is_there("steps", [](const Preset& preset) { return grouped(preset.steps); });
  is_there("learning rate", [](const Preset& preset) { return rate(preset.learning_rate); });
  is_there("parameters", [](const Preset& preset) {
    return grouped(ParameterLayout(preset.model).parameter_count());
  });
}

// The loss of an even guess.
TEST(TrainerManualTest, FirstLosses) {
  char text[80];
  std::snprintf(text, sizeof text, "(%.2f at V = 512, %.2f at 2,048, %.2f at 8,449)", std::log(512),
                std::log(2048), std::log(8449));
  EXPECT_TRUE(Document("docs/trainer.md").has(text));
}

}  // namespace
}  // namespace andrea
