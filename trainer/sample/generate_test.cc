#include "trainer/sample/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "kernels/transformer.h"
#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"
#include "trainer/model/initial_weights.h"
#include "trainer/model/test_model.h"
#include "trainer/tokenizer/utf8.h"
#include "trainer/tokenizer/utf8_stream.h"

namespace andrea {
namespace {

using Floats = std::vector<float>;
using Tokens = std::vector<int>;

// "th", "the", " t", and a token that ends within a character: the first two bytes of "€".
Tokenizer tokenizer_of_261() {
  return Tokenizer({{'t', 'h'}, {257, 'e'}, {' ', 't'}, {0xe2, 0x82}});
}

ModelConfig model_of_261() {
  ModelConfig config = test_model();
  config.vocabulary = 261;
  return config;
}

// An untrained model, whose next token hangs on all that came before.
class GenerateTest : public testing::Test {
 protected:
  GenerateTest() : GenerateTest(model_of_261()) {}
  explicit GenerateTest(const ModelConfig& config)
      : layout_(config),
        parameters_(std::span<const float>(initial_weights(layout_, InitialScale::width, 1))),
        decoder_(layout_, parameters_) {}

  // The pieces that arrive, one after the other.
  std::vector<std::string> pieces(const std::string& prompt, const GenerationOptions& options,
                                  int* chosen = nullptr) {
    std::vector<std::string> all;
    const int count = generate(decoder_, tokenizer_, prompt, options, 0,
                               [&all](std::string_view piece) { all.emplace_back(piece); });
    if (chosen != nullptr) *chosen = count;
    return all;
  }

  std::string text(const std::string& prompt, const GenerationOptions& options,
                   std::uint64_t stream = 0) {
    return generate_text(decoder_, tokenizer_, prompt, options, stream);
  }

  // Changes the model so that `token`, whatever came before, is the likeliest by far: the last norm
  // gives the same vector everywhere, and the token's row points along it.
  void always_say(int token) {
    Floats flat = parameters_.to_host();
    const auto view = layout_.view(flat.data());
    const int C = layout_.config().width;
    std::fill_n(view.final_gain, C, 0.0f);
    std::fill_n(view.final_bias, C, 1.0f);
    std::fill_n(view.output_table, std::ptrdiff_t{layout_.config().vocabulary} * C, 0.0f);
    std::fill_n(view.output_table + std::ptrdiff_t{token} * C, C, 2.0f);
    parameters_.upload(flat);
  }

  const Tokenizer tokenizer_ = tokenizer_of_261();
  const ParameterLayout layout_;
  DeviceBuffer<float> parameters_;
  Decoder decoder_;
};

TEST_F(GenerateTest, TheSameSeedWritesTheSameText) {
  const GenerationOptions options{
      .sampling = {.temperature = 1, .seed = 5}, .most_tokens = 60, .stop_at_end = false};
  const std::string first = text("the", options);
  EXPECT_EQ(text("the", options), first);
  EXPECT_NE(text("the", options, /*stream=*/1), first);
  GenerationOptions other = options;
  other.sampling.seed = 6;
  EXPECT_NE(text("the", other), first);
  EXPECT_NE(text("a", options), first);
}

// Temperature 0 by the definition: of the whole model's logits over the text so far, the largest.
TEST_F(GenerateTest, TemperatureZeroIsTheWholeModelsChoice) {
  const ModelConfig& config = layout_.config();
  Tokens history = {Tokenizer::kBos};
  tokenizer_.encode("the th", &history);
  const std::size_t prompt = history.size();
  DeviceBuffer<char> scratch(
      static_cast<std::int64_t>(transformer_scratch_bytes(config, 1, config.context)));
  while (static_cast<int>(history.size()) < config.context) {
    const int T = static_cast<int>(history.size()), stride = config.padded_vocabulary();
    const DeviceBuffer<int> tokens{std::span<const int>(history)};
    DeviceBuffer<float> logits(std::int64_t{T} * stride);
    transformer_forward(layout_, parameters_.data(), tokens.data(), logits.data(), nullptr, 1, T,
                        {.scratch = scratch.data(), .scratch_bytes = scratch.bytes()});
    const Floats all = logits.to_host();
    const auto last = all.begin() + std::ptrdiff_t{T - 1} * stride;
    history.push_back(static_cast<int>(std::max_element(last, last + config.vocabulary) - last));
  }

  const GenerationOptions options{.sampling = {.temperature = 0},
                                  .most_tokens = static_cast<int>(history.size() - prompt),
                                  .stop_at_end = false};
  const std::string bytes = tokenizer_.decode(std::span(history).subspan(prompt));
  Utf8Stream characters;
  const std::string expected = characters.push(bytes) + characters.finish();
  EXPECT_EQ(text("the th", options), expected);
  EXPECT_EQ(text("the th", options), text("the th", options));
}

TEST_F(GenerateTest, StopsWhereTheDocumentEnds) {
  always_say(Tokenizer::kBos);
  int chosen = 0;
  const GenerationOptions options{.sampling = {.temperature = 0}, .most_tokens = 50};
  EXPECT_EQ(text("the", options), "");
  pieces("the", options, &chosen);
  EXPECT_EQ(chosen, 1);
}

TEST_F(GenerateTest, OrGoesOnWithAnotherOne) {
  always_say(Tokenizer::kBos);
  int chosen = 0;
  const GenerationOptions options{
      .sampling = {.temperature = 0}, .most_tokens = 3, .stop_at_end = false};
  EXPECT_EQ(text("the", options), "\n\n\n\n\n\n");
  pieces("the", options, &chosen);
  EXPECT_EQ(chosen, 3);
}

TEST_F(GenerateTest, GoesOnBeyondTheContext) {
  always_say(258);
  int chosen = 0;
  const GenerationOptions options{.sampling = {.temperature = 0}, .most_tokens = 100};
  std::string expected;
  for (int i = 0; i < 100; ++i) expected += "the";
  EXPECT_EQ(text("", options), expected);
  pieces("", options, &chosen);
  EXPECT_EQ(chosen, 100);
  // A prompt that fills the context, one token more or less, and one far beyond it.
  for (const int prompt : {13, 14, 15, 16, 17, 300}) {
    EXPECT_EQ(text(std::string(static_cast<std::size_t>(prompt), 'x'), options), expected);
  }
}

// When the context is full, the model is fed its second half anew.
TEST_F(GenerateTest, BeyondTheContextOnlyTheSecondHalfCounts) {
  const GenerationOptions options{
      .sampling = {.temperature = 0}, .most_tokens = 1, .stop_at_end = false};
  const std::string tail = "zyxwvuts";  // half of the context of 16
  EXPECT_EQ(text("abcdefgh!" + tail, options), text("ABCDEFGHIJKLMNOP" + tail, options));
}

TEST_F(GenerateTest, AContextOfOneTokenIsEnough) {
  ModelConfig config = model_of_261();
  config.context = 1;
  const ParameterLayout layout(config);
  const DeviceBuffer<float> parameters(
      std::span<const float>(initial_weights(layout, InitialScale::width, 1)));
  Decoder decoder(layout, parameters);
  const GenerationOptions options{.most_tokens = 5, .stop_at_end = false};
  int chosen = generate(decoder, tokenizer_, "the", options, 0, [](std::string_view) {});
  EXPECT_EQ(chosen, 5);
}

TEST_F(GenerateTest, NoTokensAreNoText) {
  EXPECT_EQ(text("the", {.most_tokens = 0}), "");
  EXPECT_NE(message_of<Error>([this] { text("the", {.most_tokens = -1}); }), "");
}

bool is_whole_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const Utf8Sequence sequence = first_utf8_sequence(bytes);
    if (sequence.kind != Utf8Sequence::Kind::character) return false;
    bytes.remove_prefix(sequence.bytes);
  }
  return true;
}

// An untrained model writes bytes that form no characters most of the time.
TEST_F(GenerateTest, EveryPieceIsWholeUtf8) {
  const GenerationOptions options{
      .sampling = {.temperature = 1}, .most_tokens = 500, .stop_at_end = false};
  bool replaced = false;
  for (const std::string& piece : pieces("", options)) {
    EXPECT_TRUE(is_whole_utf8(piece)) << testing::PrintToString(piece);
    replaced = replaced || piece.find("\xef\xbf\xbd") != std::string::npos;
  }
  EXPECT_TRUE(replaced);
}

TEST_F(GenerateTest, ACharacterThatIsNeverFinishedIsReplacedAtTheEnd) {
  always_say(260);  // the first two of three bytes
  const GenerationOptions options{.sampling = {.temperature = 0}, .most_tokens = 2};
  EXPECT_EQ(pieces("", options), (std::vector<std::string>{"", "\xef\xbf\xbd", "\xef\xbf\xbd"}));
}

TEST_F(GenerateTest, WeightsThatAreNoNumbersAreAnError) {
  Floats flat = parameters_.to_host();
  flat[static_cast<std::size_t>(layout_.tensors().back().offset)] = std::nanf("");
  parameters_.upload(flat);
  EXPECT_NE(message_of<Error>([this] { text("the", {}); }), "");
}

}  // namespace
}  // namespace andrea
