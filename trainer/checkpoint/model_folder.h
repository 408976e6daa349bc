// File: model_folder.h
//
// A trained model as a folder that stands on its own, in the form Hugging Face's GPT-2 has:
//
//   model.safetensors     the weights, without padding
//   config.json           the shape; ANDREA's own variants are under "andrea"
//   tokenizer.json, ...   see trainer/tokenizer/tokenizer_file.h

#ifndef ANDREA_TRAINER_CHECKPOINT_MODEL_FOLDER_H_
#define ANDREA_TRAINER_CHECKPOINT_MODEL_FOLDER_H_

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "kernels/model_config.h"
#include "kernels/parameter_layout.h"
#include "trainer/checkpoint/safetensors.h"
#include "trainer/tokenizer/tokenizer.h"

namespace andrea {

// Writes all files of the list above into an existing folder.
void write_model(const std::filesystem::path& folder, const ParameterLayout& layout,
                 std::span<const float> parameters,  // [layout.size()]
                 const Tokenizer& tokenizer);

// A model as a folder holds it.
struct LoadedModel {
  ModelConfig config;             // its shape
  std::vector<float> parameters;  // [ParameterLayout(config).size()]
  Tokenizer tokenizer;            // the one that it was trained with
};

// Error: a file is missing, damaged, or does not agree with the others.
LoadedModel read_model(const std::filesystem::path& folder);

// The tensors of a flat buffer as files hold them, names with `prefix` in front; and back again
// (padding becomes zero).
std::vector<NamedTensor> tensors_of(const ParameterLayout& layout, std::span<const float> flat,
                                    const std::string& prefix = "");
std::vector<float> flat_from(const ParameterLayout& layout, const SafetensorsFile& file,
                             const std::string& prefix = "");

}  // namespace andrea

#endif  // ANDREA_TRAINER_CHECKPOINT_MODEL_FOLDER_H_
