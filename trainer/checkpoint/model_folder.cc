#include "trainer/checkpoint/model_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/model/preset.h"
#include "trainer/tokenizer/tokenizer_file.h"

namespace andrea {

NLOHMANN_JSON_SERIALIZE_ENUM(Positions, {{Positions::learned, "learned"},
                                         {Positions::sinusoidal, "sinusoidal"},
                                         {Positions::rotary, "rotary"},
                                         {Positions::none, "none"}})
NLOHMANN_JSON_SERIALIZE_ENUM(NormPlacement, {{NormPlacement::pre, "pre"},
                                             {NormPlacement::post, "post"},
                                             {NormPlacement::none, "none"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Activation, {{Activation::gelu, "gelu_new"},
                                          {Activation::gelu_erf, "gelu"},
                                          {Activation::relu, "relu"},
                                          {Activation::swiglu, "swiglu"}})

namespace {

using Json = nlohmann::ordered_json;

// nlohmann's enums read an unknown name as the first one; here it is an error.
template <typename Enum>
Enum variant(const Json& name) {
  const auto value = name.get<Enum>();
  if (Json(value) != name) throw Error("this program knows no variant " + name.dump());
  return value;
}

std::string config_to_json(const ModelConfig& config) {
  const Json json = {
      {"architectures", {"GPT2LMHeadModel"}},
      {"model_type", "gpt2"},
      {"vocab_size", config.vocabulary},
      {"n_positions", config.context},
      {"n_ctx", config.context},
      {"n_embd", config.width},
      {"n_layer", config.layers},
      {"n_head", config.heads},
      {"n_inner", config.mlp_width},
      {"activation_function", config.activation},
      {"layer_norm_epsilon", 1e-5},
      {"initializer_range", 0.02},
      {"scale_attn_weights", true},
      {"scale_attn_by_inverse_layer_idx", false},
      {"reorder_and_upcast_attn", false},
      {"tie_word_embeddings", config.tied},
      {"attn_pdrop", 0.0},
      {"embd_pdrop", 0.0},
      {"resid_pdrop", 0.0},
      {"bos_token_id", Tokenizer::kBos},
      {"eos_token_id", Tokenizer::kBos},
      {"torch_dtype", "float32"},
      {"andrea",
       {{"positions", config.positions}, {"norm", config.norm}, {"biases", config.biases}}},
  };
  return json.dump(2) + "\n";
}

ModelConfig config_from_json(const std::filesystem::path& path) {
  const Json json = Json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  require(json.is_object(), path.string(), " is damaged: it is not JSON");
  ModelConfig config;
  try {
    config.vocabulary = json.at("vocab_size");
    config.context = json.at("n_positions");
    config.width = json.at("n_embd");
    config.layers = json.at("n_layer");
    config.heads = json.at("n_head");
    config.mlp_width = json.at("n_inner");
    config.activation = variant<Activation>(json.at("activation_function"));
    config.tied = json.at("tie_word_embeddings");
    config.positions = variant<Positions>(json.at("andrea").at("positions"));
    config.norm = variant<NormPlacement>(json.at("andrea").at("norm"));
    config.biases = json.at("andrea").at("biases");
  } catch (const std::exception& error) {
    throw Error(text(path.string(), " is not a model's configuration: ", error.what()));
  }
  check_shape(config);
  return config;
}

}  // namespace

void write_model(const std::filesystem::path& folder, const ParameterLayout& layout,
                 std::span<const float> parameters, const Tokenizer& tokenizer) {
  write_safetensors(folder / "model.safetensors", tensors_of(layout, parameters));
  write_file(folder / "config.json", config_to_json(layout.config()));
  save_tokenizer(tokenizer, folder);
}

LoadedModel read_model(const std::filesystem::path& folder) {
  const ModelConfig config = config_from_json(folder / "config.json");
  LoadedModel model{
      config, flat_from(ParameterLayout(config), SafetensorsFile(folder / "model.safetensors")),
      load_tokenizer(folder / "tokenizer.json")};
  require(model.tokenizer.vocabulary() == config.vocabulary, folder.string(),
          " does not fit together: its tokenizer has ", model.tokenizer.vocabulary(),
          " tokens, its model ", config.vocabulary);
  return model;
}

std::vector<NamedTensor> tensors_of(const ParameterLayout& layout, std::span<const float> flat,
                                    const std::string& prefix) {
  std::vector<NamedTensor> tensors;
  for (const ParameterTensor& tensor : layout.tensors()) {
    tensors.push_back({prefix + tensor.name, tensor.shape,
                       flat.subspan(static_cast<std::size_t>(tensor.offset),
                                    static_cast<std::size_t>(tensor.count()))});
  }
  return tensors;
}

std::vector<float> flat_from(const ParameterLayout& layout, const SafetensorsFile& file,
                             const std::string& prefix) {
  const std::vector<std::string> names = file.names();
  const auto present = std::count_if(names.begin(), names.end(), [&](const std::string& name) {
    return name.starts_with(prefix);
  });
  require(present <= static_cast<std::ptrdiff_t>(layout.tensors().size()),
          "the weights are those of another model: there are ", present, " tensors, this one has ",
          layout.tensors().size());
  std::vector<float> flat(static_cast<std::size_t>(layout.size()), 0.0f);
  for (const ParameterTensor& tensor : layout.tensors()) {
    const auto numbers = file.tensor(prefix + tensor.name, tensor.shape);
    std::copy(numbers.begin(), numbers.end(), flat.begin() + tensor.offset);
  }
  return flat;
}

}  // namespace andrea
