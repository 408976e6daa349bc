#include "trainer/checkpoint/model_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/harness/close.h"
#include "tests/harness/random_inputs.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"
#include "trainer/model/test_model.h"
#include "trainer/tokenizer/tokenizer_file.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

using Floats = std::vector<float>;
using Json = nlohmann::json;

Tokenizer tokenizer_of_260() { return Tokenizer({{'t', 'h'}, {257, 'e'}, {' ', 't'}}); }

// Numbers in every tensor, zeros in the padding.
Floats random_parameters(const ParameterLayout& layout) {
  RandomInputs random;
  Floats parameters(static_cast<std::size_t>(layout.size()));
  for (const ParameterTensor& tensor : layout.tensors()) {
    const Floats numbers = random.numbers(tensor.count());
    std::copy(numbers.begin(), numbers.end(), parameters.begin() + tensor.offset);
  }
  return parameters;
}

TEST(ModelFolderTest, IsReadAsItWasWritten) {
  std::vector<std::pair<std::string, ModelConfig>> cases(8, {"as ANDREA", test_model()});
  cases[1] = {"tied", test_model()};
  cases[1].second.tied = true;
  cases[2] = {"without biases", test_model()};
  cases[2].second.biases = false;
  cases[3] = {"swiglu, rotary", test_model()};
  cases[3].second.activation = Activation::swiglu;
  cases[3].second.positions = Positions::rotary;
  cases[4] = {"relu, sinusoidal", test_model()};
  cases[4].second.activation = Activation::relu;
  cases[4].second.positions = Positions::sinusoidal;
  cases[5] = {"gelu_erf, no positions", test_model()};
  cases[5].second.activation = Activation::gelu_erf;
  cases[5].second.positions = Positions::none;
  cases[6] = {"post", test_model()};
  cases[6].second.norm = NormPlacement::post;
  cases[7] = {"no norm", test_model()};
  cases[7].second.norm = NormPlacement::none;
  for (const auto& [name, config] : cases) {
    SCOPED_TRACE(name);
    const TestFolder folder;
    const ParameterLayout layout(config);
    const Floats parameters = random_parameters(layout);
    write_model(folder.path(), layout, parameters, tokenizer_of_260());
    const LoadedModel model = read_model(folder.path());
    EXPECT_TRUE(model.config == config);
    EXPECT_TRUE(bits_equal(model.parameters, parameters));
    EXPECT_EQ(model.tokenizer.merges(), tokenizer_of_260().merges());
  }
}

TEST(ModelFolderTest, FilesHaveGpt2sNamesAndNoPadding) {
  const TestFolder folder;
  const ParameterLayout layout(test_model());
  write_model(folder.path(), layout, random_parameters(layout), tokenizer_of_260());
  const SafetensorsFile file(folder.path() / "model.safetensors");
  EXPECT_EQ(file.names().size(), 2u * 12 + 2 + 3);
  EXPECT_NO_THROW(file.tensor("transformer.wte.weight", {260, 20}));
  EXPECT_NO_THROW(file.tensor("transformer.wpe.weight", {16, 20}));
  EXPECT_NO_THROW(file.tensor("transformer.h.1.attn.c_attn.weight", {20, 60}));
  EXPECT_NO_THROW(file.tensor("transformer.h.1.mlp.c_proj.weight", {36, 20}));
  EXPECT_NO_THROW(file.tensor("lm_head.weight", {260, 20}));

  const Json config = Json::parse(read_file(folder.path() / "config.json"));
  EXPECT_EQ(config["model_type"], "gpt2");
  EXPECT_EQ(config["vocab_size"], 260);
  EXPECT_EQ(config["n_embd"], 20);
  EXPECT_EQ(config["n_layer"], 2);
  EXPECT_EQ(config["n_head"], 2);
  EXPECT_EQ(config["n_positions"], 16);
  EXPECT_EQ(config["n_inner"], 36);
  EXPECT_EQ(config["activation_function"], "gelu_new");
  EXPECT_EQ(config["tie_word_embeddings"], false);
  EXPECT_EQ(config["bos_token_id"], 256);
}

// A sound model's folder, in which one thing is then changed.
class DamagedModelTest : public testing::Test {
 protected:
  DamagedModelTest() {
    const ParameterLayout layout(test_model());
    write_model(folder_.path(), layout, random_parameters(layout), tokenizer_of_260());
  }

  std::string refusal() const {
    return message_of<Error>([this] { read_model(folder_.path()); });
  }

  void change_config(const std::string& pointer, const Json& value) {
    Json config = Json::parse(read_file(path("config.json")));
    config[Json::json_pointer(pointer)] = value;
    write_file(path("config.json"), config.dump());
  }

  fs::path path(const char* file) const { return folder_.path() / file; }

  TestFolder folder_;
};

TEST_F(DamagedModelTest, IsSoundBefore) { EXPECT_EQ(refusal(), ""); }

TEST_F(DamagedModelTest, AMissingFileIsNamed) {
  for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"}) {
    const std::string contents = read_file(path(name));
    fs::remove(path(name));
    EXPECT_NE(refusal().find(name), std::string::npos) << name << ": " << refusal();
    write_file(path(name), contents);
  }
}

TEST_F(DamagedModelTest, AConfigurationCutShortIsNamed) {
  const std::string contents = read_file(path("config.json"));
  for (std::size_t length = 0; length + 2 < contents.size(); length += 7) {
    write_file(path("config.json"), contents.substr(0, length));
    EXPECT_TRUE(refusal().starts_with(path("config.json").string())) << length << refusal();
  }
}

TEST_F(DamagedModelTest, ALackingEntryIsNamed) {
  Json config = Json::parse(read_file(path("config.json")));
  for (const char* key : {"vocab_size", "n_positions", "n_embd", "n_layer", "n_head", "n_inner",
                          "activation_function", "tie_word_embeddings", "andrea"}) {
    Json without = config;
    without.erase(key);
    write_file(path("config.json"), without.dump());
    EXPECT_NE(refusal().find(key), std::string::npos) << key << ": " << refusal();
  }
}

TEST_F(DamagedModelTest, AnotherShapeIsTold) {
  change_config("/n_embd", 40);
  EXPECT_NE(refusal().find("has shape [260,20], the model needs [260,40]"), std::string::npos)
      << refusal();
  change_config("/n_embd", 21);
  EXPECT_NE(refusal().find("not divisible"), std::string::npos) << refusal();
  change_config("/n_embd", -20);
  EXPECT_NE(refusal(), "");
  change_config("/n_embd", "20");
  EXPECT_NE(refusal(), "");
}

TEST_F(DamagedModelTest, LayersBeyondTheConfigurationAreNotDropped) {
  change_config("/n_layer", 1);
  EXPECT_NE(refusal(), "");
}

TEST_F(DamagedModelTest, AnUnknownVariantIsRefused) {
  change_config("/activation_function", "silu");
  EXPECT_NE(refusal(), "");
  change_config("/activation_function", "gelu_new");
  change_config("/andrea/positions", "alibi");
  EXPECT_NE(refusal(), "");
  change_config("/andrea/positions", "learned");
  change_config("/andrea/norm", "rms");
  EXPECT_NE(refusal(), "");
}

TEST_F(DamagedModelTest, ATokenizerOfAnotherSizeIsRefused) {
  save_tokenizer(Tokenizer({{'t', 'h'}, {257, 'e'}}), folder_.path());
  EXPECT_NE(refusal().find("its tokenizer has 259 tokens, its model 260"), std::string::npos)
      << refusal();
}

}  // namespace
}  // namespace andrea
