// Each subcommand once through, as a person uses it.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/end_to_end/program.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The number behind the last occurrence of a key.
double number_after(const std::string& text, const std::string& key) {
  const std::size_t at = text.rfind(key);
  return at == std::string::npos ? NAN : std::strtod(text.c_str() + at + key.size(), nullptr);
}

class CommandsTest : public ProgramTest {};

TEST_F(CommandsTest, TrainLeavesAWholeRun) {
  const Outcome outcome = andrea(small_run("run"));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  EXPECT_TRUE(contains(outcome.output, "step 30/30")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "Done: 1,920 tokens")) << outcome.output;
  // Not a terminal: nothing is drawn over.
  EXPECT_EQ(outcome.output.find_first_of("\r\x1b"), std::string::npos);

  const std::string metrics = contents_of(path("run/metrics.jsonl"));
  EXPECT_EQ(lines_of(path("run/metrics.jsonl")), 30);
  EXPECT_EQ(lines_of(path("run/samples.jsonl")), 3);
  for (const char* key : {"step", "tokens", "loss", "learning_rate", "gradient_norm",
                          "tokens_per_second", "validation_loss", "bits_per_byte"}) {
    EXPECT_TRUE(contains(metrics, std::string("\"") + key + "\":")) << key;
  }
  EXPECT_NEAR(std::strtod(metrics.c_str() + metrics.find("\"loss\":") + 7, nullptr), std::log(280),
              0.1);
  EXPECT_LT(number_after(metrics, "\"loss\":"), 5);  // of ln 280 = 5.6
  EXPECT_TRUE(fs::exists(path("run/config.toml")));
  EXPECT_TRUE(contains(contents_of(path("run/run.json")), "\"finished\""));
  EXPECT_TRUE(contains(contents_of(path("run/report.html")), "</html>"));
  EXPECT_TRUE(fs::exists(path("run/tokenizer/tokenizer.json")));
  ASSERT_EQ(checkpoints_of("run").size(), 3u);
  EXPECT_EQ(checkpoints_of("run").back().filename(), "step_000030");
}

TEST_F(CommandsTest, ARunFollowsAnother) {
  ASSERT_EQ(andrea(small_run("run")).status, 0);
  const std::string run = path("run").string();
  const Outcome same = andrea({"train", "--follow", run, "--out", path("same").string()});
  EXPECT_EQ(same.status, 0) << same.errors;
  EXPECT_TRUE(contains(same.output, "The losses of 30 steps are those of " + run)) << same.output;

  const Outcome flag =
      andrea({"train", "--follow", run, "--seed", "9", "--out", path("flag").string()});
  EXPECT_NE(flag.status, 0);
  EXPECT_TRUE(contains(flag.errors, "a run with seed = 9 cannot have the losses of"))
      << flag.errors;

  // Another first loss, as wrong kernels would have it.
  std::string metrics = contents_of(path("run/metrics.jsonl"));
  metrics.replace(metrics.find("\"loss\":5"), 8, "\"loss\":6");
  std::ofstream(path("run/metrics.jsonl")) << metrics;
  const Outcome other = andrea({"train", "--follow", run, "--out", path("other").string()});
  EXPECT_NE(other.status, 0);
  EXPECT_TRUE(contains(other.errors, "at step 1")) << other.errors;
}

TEST_F(CommandsTest, RunsGoWhereNobodySaidOtherwise) {
  Words arguments = small_run("");
  arguments.resize(arguments.size() - 2);  // without --out
  arguments.insert(arguments.end(), {"--preset", "nano"});
  EXPECT_TRUE(contains(andrea(arguments).output, "The run lies in runs/nano."));
  EXPECT_TRUE(contains(andrea(arguments).output, "The run lies in runs/nano-2."));
  // The others take the newest run.
  fs::remove_all(path("runs/nano/checkpoints"));
  EXPECT_EQ(andrea({"sample", "--tokens", "3"}).status, 0);
  EXPECT_TRUE(contains(andrea({"eval"}).output, "runs/nano-2/checkpoints/step_000030"));
  EXPECT_TRUE(contains(andrea({"train", "--resume"}).output, "Continuing after step 30."));
}

TEST_F(CommandsTest, SampleContinuesAPrompt) {
  train_small_run("run");
  const auto sample = [&](Words arguments, std::string_view input = "") {
    arguments.insert(arguments.begin(), "sample");
    const Outcome outcome = andrea(arguments, input);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.errors, "");
    return outcome.output;
  };
  const Words cold = {"--tokens", "30", "--temperature", "0"};
  const auto greedy = [&](Words arguments, std::string_view input = "") {
    arguments.insert(arguments.end(), cold.begin(), cold.end());
    return sample(arguments, input);
  };
  const std::string text = greedy({"--checkpoint", "run", "--prompt", "the cat"});
  EXPECT_TRUE(text.starts_with("the cat")) << text;
  EXPECT_GT(text.size(), 20u);
  EXPECT_EQ(greedy({"--checkpoint", "run", "--prompt", "the cat"}), text);
  EXPECT_EQ(greedy({"--checkpoint", "run", "--prompt", "the cat", "--seed", "9"}), text);
  EXPECT_EQ(greedy({"--checkpoint", "run", "--prompt", "the cat", "--threads", "3"}), text);
  EXPECT_EQ(greedy({"--checkpoint", "run/checkpoints/step_000030", "--prompt", "the cat"}), text);
  EXPECT_EQ(greedy({"--checkpoint", "run"}, "the cat\n"), text);
  EXPECT_EQ(greedy({"--checkpoint", "run", "--prompt", "-"}, "the cat"), text);
  EXPECT_EQ(
      sample({"--checkpoint", "run", "--prompt", "the cat", "--tokens", "30", "--top-k", "1"}),
      text);

  const auto warm = [&](const char* seed) {
    return sample({"--checkpoint", "run", "--prompt", "the", "--tokens", "30", "--temperature", "1",
                   "--seed", seed, "--endless"});
  };
  EXPECT_EQ(warm("5"), warm("5"));
  EXPECT_NE(warm("5"), warm("6"));
  const std::string two =
      sample({"--checkpoint", "run", "--prompt", "the", "--count", "2", "--tokens", "9"});
  EXPECT_TRUE(contains(two, "\n---\nthe")) << two;
  EXPECT_EQ(sample({"--checkpoint", "run", "--prompt", "the", "--tokens", "0"}), "the\n");
  // Beyond the context of 16, and a prompt that is longer than it.
  EXPECT_GT(sample({"--checkpoint", "run", "--tokens", "100", "--endless"}).size(), 100u);
  const std::string prompt(300, 'x');
  EXPECT_TRUE(
      sample({"--checkpoint", "run", "--prompt", prompt, "--tokens", "5"}).starts_with(prompt));
}

TEST_F(CommandsTest, EvalSaysWhatTrainingSaid) {
  train_small_run("run");
  const std::string metrics = contents_of(path("run/metrics.jsonl"));
  const Outcome outcome = andrea({"eval", "--checkpoint", "run"});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  // The last validation reads all of the validation text, as eval does.
  EXPECT_NEAR(number_after(outcome.output, "bits a byte"),
              number_after(metrics, "bits_per_byte\":"), 1e-4);
  const double loss = number_after(outcome.output, "\nloss");
  EXPECT_NEAR(loss, number_after(metrics, "validation_loss\":"), 1e-4);
  EXPECT_NEAR(number_after(outcome.output, "perplexity"), std::exp(loss), 0.02);

  // On another text every byte counts.
  write_contents(path("other.txt"), "the cat sees a dog.");
  const Outcome other = andrea({"eval", "--checkpoint", "run", "--text", "other.txt"});
  EXPECT_EQ(other.status, 0) << other.errors;
  EXPECT_TRUE(contains(other.output, "19 bytes")) << other.output;
}

TEST_F(CommandsTest, AFinishedRunCanBeResumedForMoreSteps) {
  train_small_run("run");
  const std::string finished = essence_of("run");
  EXPECT_EQ(andrea({"train", "--resume", "--out", "run", "--threads", "1"}).status, 0);
  EXPECT_EQ(essence_of("run"), finished);
  const Outcome more = andrea({"train", "--resume", "--out", "run", "--steps", "34"});
  EXPECT_EQ(more.status, 0) << more.errors;
  EXPECT_EQ(lines_of(path("run/metrics.jsonl")), 34);
  EXPECT_EQ(checkpoints_of("run").back().filename(), "step_000034");
}

TEST_F(CommandsTest, AConfigFileStartsTheSameRunAgain) {
  train_small_run("run");
  const Outcome again = andrea({"train", "--config", "run/config.toml", "--out", "again"});
  EXPECT_EQ(again.status, 0) << again.errors;
  EXPECT_EQ(essence_of("again"), essence_of("run"));
  EXPECT_EQ(contents_of(path("again/config.toml")), contents_of(path("run/config.toml")));
}

TEST_F(CommandsTest, AVocabularyThatTheTextCannotFillIsSaid) {
  const Outcome outcome = andrea(small_run("run", {"--vocabulary", "5000"}));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  EXPECT_TRUE(contains(outcome.output, "tokens, not 5,000: the text has no more pairs to merge."))
      << outcome.output;
}

TEST_F(CommandsTest, TheEmbeddedStoriesNeedNoText) {
  Words arguments = small_run("run", {"--stories", "200", "--vocabulary", "300"});
  arguments.erase(arguments.begin() + 1, arguments.begin() + 3);  // without --text
  const Outcome outcome = andrea(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(contains(outcome.output, "no model can do better")) << outcome.output;
  EXPECT_TRUE(contains(contents_of(path("run/run.json")), "entropy_bits_per_byte"));
}

TEST_F(CommandsTest, TokenizerGivesEveryByteBack) {
  const Outcome trained =
      andrea({"tokenizer", "train", "--text", "text.txt", "--vocabulary", "280", "--out", "tok"});
  EXPECT_EQ(trained.status, 0) << trained.errors;
  EXPECT_TRUE(contains(trained.output, "280 tokens in tok")) << trained.output;

  std::string bytes = "the cat \xe2\x82\xac <|endoftext|>\n\n";
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  const Outcome encoded = andrea({"tokenizer", "encode", "--tokenizer", "tok"}, bytes);
  EXPECT_EQ(encoded.status, 0) << encoded.errors;
  const Outcome decoded = andrea({"tokenizer", "decode", "--tokenizer", "tok"}, encoded.output);
  EXPECT_EQ(decoded.status, 0) << decoded.errors;
  EXPECT_EQ(decoded.output, bytes);

  EXPECT_EQ(andrea({"tokenizer", "encode", "--tokenizer", "tok", "xyz"}).output, "120 121 122\n");
  EXPECT_EQ(andrea({"tokenizer", "decode", "--tokenizer", "tok", "120", "121"}).output, "xy");

  // A run takes it as it is.
  const Outcome run = andrea(small_run("run", {"--tokenizer", "tok/tokenizer.json"}));
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(contents_of(path("run/tokenizer/tokenizer.json")),
            contents_of(path("tok/tokenizer.json")));
}

TEST_F(CommandsTest, InfoCountsTheParameters) {
  const Outcome outcome = andrea({"info", "--preset", "120m", "--context", "64", "--threads", "1"});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  // 98,820,096 with 1024 positions of 768 numbers; here 64.
  EXPECT_TRUE(contains(outcome.output, "98,082,816")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "12 x 7,087,872")) << outcome.output;
  EXPECT_FALSE(contains(outcome.output, "120M")) << outcome.output;
}

// Its first buffer alone would be 18 TB.
TEST_F(CommandsTest, InfoTellsOfModelsThatDoNotFit) {
  const Outcome outcome = andrea({"info", "--layers", "1000", "--width", "65536", "--heads", "2",
                                  "--batch", "16", "--context", "1048576"});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(contains(outcome.output, "TB")) << outcome.output;
}

TEST_F(CommandsTest, HelpIsNoError) {
  for (const Words& arguments :
       {Words{"--help"}, Words{"help"}, Words{"train", "--help"}, Words{"sample", "--help"},
        Words{"eval", "-h"}, Words{"tokenizer", "--help"}, Words{"tokenizer", "train", "--help"},
        Words{"prepare", "--help"}, Words{"info", "--help"}, Words{"bench", "--help"}}) {
    const Outcome outcome = andrea(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments.front() << ": " << outcome.errors;
    EXPECT_GT(outcome.output.size(), 50u) << arguments.front();
    EXPECT_EQ(outcome.errors, "");
  }
  EXPECT_TRUE(contains(andrea({}).errors, "train"));
  EXPECT_EQ(andrea({}).status, 2);
}

}  // namespace
}  // namespace andrea
