#include "trainer/commands/train_flags.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"
#include "trainer/model/preset.h"

namespace andrea {
namespace {

using Words = std::vector<std::string>;

TrainOptions options_of(const Words& arguments) { return parse_train_options(arguments).options; }

std::string refusal(const Words& arguments) {
  return message_of<Error>([&] { parse_train_options(arguments); });
}

// All but what is no part of the run itself (its folder, whether it is resumed).
void expect_same(const TrainOptions& a, const TrainOptions& b) {
  EXPECT_EQ(a.preset, b.preset);
  EXPECT_EQ(a.data.text, b.data.text);
  EXPECT_EQ(a.data.documents, b.data.documents);
  EXPECT_EQ(a.data.json_field, b.data.json_field);
  EXPECT_EQ(a.data.tokenizer, b.data.tokenizer);
  EXPECT_TRUE(a.data == b.data);
  EXPECT_TRUE(a.model == b.model);
  EXPECT_EQ(a.initial_scale, b.initial_scale);
  EXPECT_EQ(a.batch, b.batch);
  EXPECT_EQ(a.accumulate, b.accumulate);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.warmup, b.warmup);
  EXPECT_EQ(a.learning_rate, b.learning_rate);
  EXPECT_EQ(a.final_learning_rate, b.final_learning_rate);
  EXPECT_EQ(a.adamw.beta1, b.adamw.beta1);
  EXPECT_EQ(a.adamw.beta2, b.adamw.beta2);
  EXPECT_EQ(a.adamw.epsilon, b.adamw.epsilon);
  EXPECT_EQ(a.adamw.weight_decay, b.adamw.weight_decay);
  EXPECT_EQ(a.clip, b.clip);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.validate_every, b.validate_every);
  EXPECT_EQ(a.validation_rows, b.validation_rows);
  EXPECT_EQ(a.sample_every, b.sample_every);
  EXPECT_EQ(a.checkpoint_every, b.checkpoint_every);
  EXPECT_EQ(a.keep, b.keep);
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.kernels, b.kernels);
  EXPECT_EQ(a.use, b.use);
}

TEST(TrainFlagsTest, EverythingHasADefault) {
  const TrainOptions options = options_of({});
  EXPECT_EQ(options.preset, "tiny");
  EXPECT_TRUE(options.model == find_preset("tiny").model);
  EXPECT_TRUE(options.data.text.empty());
  EXPECT_FALSE(options.resume);
  EXPECT_GT(options.checkpoint_every, 0);
}

TEST(TrainFlagsTest, APresetBringsItsValues) {
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(preset.name);
    const TrainOptions options = options_of({"--preset", preset.name});
    EXPECT_EQ(options.preset, preset.name);
    EXPECT_TRUE(options.model == preset.model);
    EXPECT_EQ(options.batch, preset.batch);
    EXPECT_EQ(options.accumulate, preset.accumulate);
    EXPECT_EQ(options.steps, preset.steps);
    EXPECT_EQ(options.warmup, preset.warmup);
    EXPECT_EQ(options.learning_rate, preset.learning_rate);
    EXPECT_TRUE(options_of({"--preset=" + preset.name}).model == preset.model);
  }
  EXPECT_NE(refusal({"--preset", "121m"}).find("the presets are"), std::string::npos);
}

TEST(TrainFlagsTest, FlagsReplaceThePresetsValues) {
  const TrainOptions options =
      options_of({"--layers", "3", "--width=96", "--preset", "nano", "--tied", "--no-biases",
                  "--steps", "7", "--learning-rate", "2e-4", "--activation", "gelu_erf",
                  "--initial-scale", "width", "--out", "a folder", "--seed", "5"});
  EXPECT_EQ(options.model.layers, 3);
  EXPECT_EQ(options.model.width, 96);
  EXPECT_EQ(options.model.mlp_width, 4 * 96);
  EXPECT_EQ(options.model.heads, find_preset("nano").model.heads);
  EXPECT_TRUE(options.model.tied);
  EXPECT_FALSE(options.model.biases);
  EXPECT_EQ(options.model.activation, Activation::gelu_erf);
  EXPECT_EQ(options.initial_scale, InitialScale::width);
  EXPECT_EQ(options.steps, 7);
  EXPECT_EQ(options.learning_rate, 2e-4);
  EXPECT_EQ(options.out, "a folder");
  EXPECT_EQ(options.seed, 5u);
}

TEST(TrainFlagsTest, TheLastOfARepeatedFlagCounts) {
  const TrainOptions options = options_of(
      {"--steps", "7", "--steps=8", "--tied", "--untied", "--preset", "nano", "--preset", "tiny"});
  EXPECT_EQ(options.steps, 8);
  EXPECT_FALSE(options.model.tied);
  EXPECT_EQ(options.preset, "tiny");
  EXPECT_TRUE(options_of({"--untied", "--tied"}).model.tied);
}

TEST(TrainFlagsTest, DevicesAndPrecisionsHaveNames) {
  EXPECT_EQ(options_of({}).device, "auto");
  EXPECT_EQ(options_of({}).kernels, "auto");
  EXPECT_EQ(refusal({"--device", "card"}), "--device is gpu, cpu or auto, not 'card'");
  EXPECT_NE(refusal({"--precision", "fp16"}).find("must be one of bf16, fp32, tf32"),
            std::string::npos);
}

TEST(TrainFlagsTest, ChoicesHaveNames) {
  const std::pair<const char*, Positions> positions[] = {{"learned", Positions::learned},
                                                         {"sinusoidal", Positions::sinusoidal},
                                                         {"rotary", Positions::rotary},
                                                         {"none", Positions::none}};
  for (const auto& [name, value] : positions) {
    EXPECT_EQ(options_of({"--positions", name}).model.positions, value);
  }
  const std::pair<const char*, NormPlacement> norms[] = {
      {"pre", NormPlacement::pre}, {"post", NormPlacement::post}, {"none", NormPlacement::none}};
  for (const auto& [name, value] : norms) {
    EXPECT_EQ(options_of({"--norm", name}).model.norm, value);
  }
  const std::pair<const char*, Activation> activations[] = {{"gelu", Activation::gelu},
                                                            {"gelu_erf", Activation::gelu_erf},
                                                            {"relu", Activation::relu},
                                                            {"swiglu", Activation::swiglu}};
  for (const auto& [name, value] : activations) {
    EXPECT_EQ(options_of({"--activation", name}).model.activation, value);
  }
  EXPECT_EQ(options_of({"--initial-scale", "gpt2"}).initial_scale, InitialScale::gpt2);
  EXPECT_EQ(refusal({"--positions", "alibi"}),
            "--positions is 'alibi'; it must be one of learned, none, rotary, sinusoidal");
  EXPECT_EQ(refusal({"--activation="}).find('\n'), std::string::npos);
}

TEST(TrainFlagsTest, UnknownFlagsAreToldTheNearestOne) {
  EXPECT_NE(refusal({"--learning_rate", "1"}).find("did you mean --learning-rate?"),
            std::string::npos);
  EXPECT_NE(refusal({"--layer", "1"}).find("did you mean --layers?"), std::string::npos);
  EXPECT_NE(refusal({"--texts", "1"}).find("did you mean --text?"), std::string::npos);
  EXPECT_NE(refusal({"stray"}).find("does not know stray"), std::string::npos);
}

TEST(TrainFlagsTest, OptionsAreSettled) {
  EXPECT_EQ(refusal({"--batch", "0"}), "--batch is 0; it must be at least 1");
  EXPECT_NE(refusal({"--width", "2147483647"}), "");
  EXPECT_NE(refusal({"--width", "30", "--heads", "4"}).find("not divisible"), std::string::npos);
  for (const char* number : {"1e999", "nan", "-1", "0"}) {
    EXPECT_NE(refusal({"--learning-rate", number}), "") << number;
  }
  for (const char* flag : {"--seed", "--story-seed"}) {
    EXPECT_NE(refusal({flag, "-1"}), "") << flag;
    EXPECT_NE(refusal({flag, "18446744073709551616"}), "") << flag;
  }
}

TEST(TrainFlagsTest, HelpIsPrintedAndNothingElse) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(parse_train_options({"--help"}).help);
  const std::string help = testing::internal::GetCapturedStdout();
  for (const char* part : {"--text", "--layers", "--learning-rate", "--resume", "480m"}) {
    EXPECT_NE(help.find(part), std::string::npos) << part;
  }
}

TEST(ValueOfTest, ReadsBothSpellings) {
  EXPECT_EQ(value_of({"--a", "1", "--out", "x y"}, "--out"), "x y");
  EXPECT_EQ(value_of({"--out=x=y", "--a"}, "--out"), "x=y");
  EXPECT_EQ(value_of({"--out", "x", "--out=y"}, "--out"), "y");
  EXPECT_EQ(value_of({"--outer", "x"}, "--out"), "");
  EXPECT_EQ(value_of({"--out"}, "--out"), "");
}

// What a run writes down starts another like it.
class ConfigFileTest : public testing::Test {
 protected:
  void expect_round_trip(const Words& arguments) {
    const ParsedTrainOptions written = parse_train_options(arguments);
    const ParsedTrainOptions read = parse_config(written.config);
    expect_same(read.options, written.options);
    EXPECT_TRUE(read.config == written.config) << read.config;
  }

  ParsedTrainOptions parse_config(const std::string& config, Words arguments = {}) {
    arguments.push_back("--config=" + folder_.write("config.toml", config));
    return parse_train_options(arguments);
  }

  const TestFolder folder_;
};

TEST_F(ConfigFileTest, IsReadAsItWasWritten) {
  expect_round_trip({});
  for (const Preset& preset : presets()) expect_round_trip({"--preset", preset.name});
  expect_round_trip(
      {"--layers",     "3",           "--heads",         "1",    "--width",      "33",
       "--mlp-width",  "17",          "--context",       "9",    "--vocabulary", "999",
       "--tied",       "--no-biases", "--positions",     "none", "--norm",       "post",
       "--activation", "swiglu",      "--initial-scale", "width"});
  expect_round_trip({"--batch",
                     "3",
                     "--accumulate",
                     "5",
                     "--steps",
                     "123456789012",
                     "--warmup",
                     "0",
                     "--validate-every",
                     "11",
                     "--validation-rows",
                     "12",
                     "--sample-every",
                     "13",
                     "--checkpoint-every",
                     "14",
                     "--keep",
                     "0",
                     "--seed",
                     "18446744073709551615"});
  expect_round_trip({"--stories", "77", "--story-seed", "18446744073709551615", "--json-field",
                     "body text", "--tokenizer", "some where/tokenizer.json"});
  expect_round_trip({"--kernels", "cpu", "--use", "lessons:03", "--use", "solutions:04"});
  expect_round_trip({"--device", "gpu", "--precision", "bf16", "--recompute"});
  expect_round_trip({"--device", "cpu", "--precision", "tf32", "--keep-activations"});
}

TEST_F(ConfigFileTest, WhereAndHowARunIsComputedCanBeGivenAnew) {
  const std::string config =
      parse_train_options({"--device", "gpu", "--precision", "bf16", "--recompute"}).config;
  const TrainOptions kept = parse_config(config).options;
  EXPECT_EQ(kept.device, "gpu");
  EXPECT_EQ(kept.model.precision, Precision::bf16);
  EXPECT_TRUE(kept.model.recompute);
  const TrainOptions changed =
      parse_config(config, {"--device=cpu", "--precision", "fp32", "--keep-activations"}).options;
  EXPECT_EQ(changed.device, "cpu");
  EXPECT_EQ(changed.model.precision, Precision::fp32);
  EXPECT_FALSE(changed.model.recompute);
  EXPECT_TRUE(changed.model == kept.model.plain());
}

TEST_F(ConfigFileTest, AwkwardNumbersSurvive) {
  for (const char* number : {"0.1", "3e-4", "1e-300", "2.2250738585072014e-308", "5e-324",
                             "0.30000000000000004", "9.999999999999999e29", "123456789"}) {
    expect_round_trip({"--learning-rate", number});
  }
  expect_round_trip({"--final-learning-rate", "0", "--clip", "0", "--weight-decay", "0"});
  expect_round_trip({"--beta1", "0", "--beta2", "0.9999999", "--epsilon", "1e-45", "--clip",
                     "1e-320", "--validation-fraction", "0.000001"});
}

TEST_F(ConfigFileTest, PathsOfAnyKindSurvive) {
  const Words paths = {"plain.txt",
                       "two words.txt",
                       " spaces around ",
                       "single'quote",
                       "double\"quote",
                       "\"wholly quoted\"",
                       "'wholly quoted'",
                       "back\\slash",
                       "ends with\\",
                       "a,comma",
                       "#hash",
                       "semi;colon",
                       "equals=sign",
                       "pattern[0-9]*.txt",
                       "{braces}",
                       "true",
                       "12",
                       "\xc3\xa9t\xc3\xa9/\xe2\x82\xac.txt"};
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    EXPECT_EQ(options_of({"--text", path}).data.text, Words{path});
    expect_round_trip({"--text", path});
    expect_round_trip({"--text", "first", path, "last"});
    expect_round_trip({"--tokenizer", path});
  }
  Words all = {"--text"};
  all.insert(all.end(), paths.begin(), paths.end());
  expect_round_trip(all);
}

TEST_F(ConfigFileTest, SeparatorsSurvive) {
  for (const char* documents : {"line", "separator:\\n\\n", "separator:###",
                                "separator: ", "separator:\"", "separator:a\\\\b", "separator:,"}) {
    SCOPED_TRACE(documents);
    expect_round_trip({"--documents", documents});
  }
}

TEST_F(ConfigFileTest, FlagsOverrideItsLines) {
  const std::string config = parse_train_options({"--preset", "nano", "--steps", "7", "--tied",
                                                  "--no-biases", "--text", "a", "b", "--keep", "5"})
                                 .config;
  const auto with = [&](const Words& arguments) { return parse_config(config, arguments).options; };
  EXPECT_EQ(with({}).steps, 7);
  EXPECT_EQ(with({"--steps", "9"}).steps, 9);
  EXPECT_EQ(with({"--steps=9"}).steps, 9);
  EXPECT_EQ(with({"--steps=9"}).keep, 5);
  EXPECT_TRUE(with({}).model.tied);
  EXPECT_FALSE(with({"--untied"}).model.tied);
  EXPECT_FALSE(with({}).model.biases);
  EXPECT_TRUE(with({"--biases"}).model.biases);
  EXPECT_EQ(with({"--text", "c"}).data.text, Words{"c"});
  EXPECT_EQ(with({"--text=c"}).data.text, Words{"c"});
  // The MLP follows the width as long as nobody says otherwise.
  EXPECT_EQ(with({"--width", "32"}).model.mlp_width, 128);
}

TEST_F(ConfigFileTest, TakesAFewLinesWrittenByHand) {
  const TrainOptions options =
      parse_config("# mine\npreset = nano\nsteps=12\n\ntied = true\ntext = [\"a b\", \"c\"]\n")
          .options;
  EXPECT_EQ(options.preset, "nano");
  EXPECT_EQ(options.model.layers, find_preset("nano").model.layers);
  EXPECT_EQ(options.steps, 12);
  EXPECT_TRUE(options.model.tied);
  EXPECT_EQ(options.data.text, (Words{"a b", "c"}));
}

TEST_F(ConfigFileTest, FaultsAreTold) {
  const auto config_refusal = [&](const std::string& config) {
    return message_of<Error>([&] { parse_config(config); });
  };
  EXPECT_NE(config_refusal("stepz = 3\n").find("--steps"), std::string::npos);
  EXPECT_NE(config_refusal("steps = many\n").find("--steps"), std::string::npos);
  EXPECT_NE(config_refusal("batch = 0\n"), "");
  EXPECT_NE(config_refusal("positions = alibi\n"), "");
  EXPECT_NE(config_refusal("preset = 121m\n"), "");
  EXPECT_NE(refusal({"--config", (folder_.path() / "none").string()}), "");
  EXPECT_NE(refusal({"--config", folder_.path().string()}), "");
}

}  // namespace
}  // namespace andrea
