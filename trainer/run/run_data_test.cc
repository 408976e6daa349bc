#include "trainer/run/run_data.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

// Eighty lines that differ.
std::string some_text() {
  std::string text;
  for (int i = 0; i < 80; ++i) text += "line " + std::to_string(i * 37) + " of the text\n";
  return text;
}

class RunDataTest : public testing::Test {
 protected:
  RunDataTest() {
    options_.text = {folder_.write("text.txt", some_text())};
    options_.documents = "line";
    options_.validation_fraction = 0.1;
    fs::create_directory(run_.path);
  }

  RunData prepare(int vocabulary = 262, int context = 16) {
    notices_.clear();
    return prepare_run_data(run_, options_, vocabulary, context, [this](std::string_view line) {
      notices_ += std::string(line) + "\n";
    });
  }

  const TestFolder folder_;
  const RunFolder run_{folder_.path() / "run"};
  DataOptions options_;
  std::string notices_;
};

TEST_F(RunDataTest, IsMadeOnceAndFoundAgain) {
  const RunData made = prepare();
  EXPECT_EQ(made.tokenizer.vocabulary(), 262);
  EXPECT_EQ(made.corpus.summary().training.documents + made.corpus.summary().validation.documents,
            80);
  EXPECT_NE(notices_.find("Training a tokenizer of 262 tokens"), std::string::npos) << notices_;

  fs::remove(options_.text.front());
  const RunData found = prepare();
  EXPECT_EQ(notices_, "");
  EXPECT_EQ(found.tokenizer.merges(), made.tokenizer.merges());
  EXPECT_EQ(found.corpus.summary(), made.corpus.summary());
}

// Killed at each point at which a folder or a file is left: the next call comes to the same.
TEST_F(RunDataTest, AnInterruptedCallIsCompletedByTheNext) {
  const CorpusSummary whole = prepare().corpus.summary();
  const std::string tokenizer = read_file(run_.tokenizer() / "tokenizer.json");

  fs::remove(run_.data() / "corpus.json");
  EXPECT_EQ(prepare().corpus.summary(), whole);

  fs::remove_all(run_.data());
  fs::rename(run_.tokenizer(), run_.path / "tokenizer.tmp");
  fs::remove(run_.path / "tokenizer.tmp" / "merges.txt");
  EXPECT_EQ(prepare().corpus.summary(), whole);
  EXPECT_EQ(read_file(run_.tokenizer() / "tokenizer.json"), tokenizer);
  EXPECT_FALSE(fs::exists(run_.path / "tokenizer.tmp"));
}

TEST_F(RunDataTest, AVocabularyThatTheTextCannotFillIsSaid) {
  const RunData data = prepare(1000);
  EXPECT_LT(data.tokenizer.vocabulary(), 400);
  EXPECT_NE(notices_.find("The vocabulary has " + std::to_string(data.tokenizer.vocabulary()) +
                          " tokens, not 1,000: the text has no more pairs to merge."),
            std::string::npos)
      << notices_;
}

TEST_F(RunDataTest, AGivenTokenizerIsUsedAsItIs) {
  const RunFolder other{folder_.path() / "other"};
  fs::create_directory(other.path);
  prepare_run_data(other, options_, 258, 16, [](std::string_view) {});
  options_.tokenizer = (other.tokenizer() / "tokenizer.json").string();
  EXPECT_EQ(prepare(262).tokenizer.vocabulary(), 258);
  EXPECT_NE(notices_.find("The vocabulary has 258 tokens, not 262: that is what the given tokenizer"
                          " has."),
            std::string::npos)
      << notices_;
}

TEST_F(RunDataTest, ATextShorterThanTheContextIsRefused) {
  const std::string message = message_of<Error>([this] { prepare(262, 5000); });
  EXPECT_NE(message.find("5001"), std::string::npos) << message;
}

TEST_F(RunDataTest, ATokenizerOfAnotherRunIsRefused) {
  prepare();
  const RunFolder other{folder_.path() / "other"};
  fs::create_directory(other.path);
  prepare_run_data(other, options_, 258, 16, [](std::string_view) {});
  fs::remove_all(run_.tokenizer());
  fs::rename(other.tokenizer(), run_.tokenizer());
  const std::string message = message_of<Error>([this] { prepare(); });
  EXPECT_NE(message.find("was written with another tokenizer"), std::string::npos) << message;
}

TEST_F(RunDataTest, TokenFrequenciesAloneCostMoreThanNothingAndLessThanAnEvenGuess) {
  const RunData data = prepare();
  const CorpusLimits limits = measure_limits(data, /*stories=*/false);
  EXPECT_GT(limits.unigram, 1);
  EXPECT_LT(limits.unigram, std::log2(262));
  EXPECT_FALSE(limits.source_entropy.has_value());
}

TEST(LimitsLineTest, SaysWhatIsKnown) {
  EXPECT_EQ(limits_line({2.5, std::nullopt, std::nullopt}),
            "Token frequencies alone give 2.5000 bits a byte.");
  EXPECT_EQ(limits_line({2.5, 0.51234, 0.6}),
            "The source of these stories has 0.5123 bits a byte; no model can do better. Token "
            "frequencies alone give 2.5000.");
}

// The grammar's own cost of the validation stories is near its entropy, and below what frequencies
// alone can do.
TEST_F(RunDataTest, StoriesHaveAKnownLimit) {
  options_ = DataOptions();
  options_.stories = 400;
  const CorpusLimits limits = measure_limits(prepare(300), /*stories=*/true);
  ASSERT_TRUE(limits.source_entropy.has_value());
  ASSERT_TRUE(limits.validation_exact.has_value());
  EXPECT_NEAR(*limits.validation_exact / *limits.source_entropy, 1, 0.2);
  EXPECT_LT(*limits.validation_exact, limits.unigram);
}

}  // namespace
}  // namespace andrea
