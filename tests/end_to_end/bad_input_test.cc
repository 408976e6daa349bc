// Whatever the program is given, it ends with status 2 and one sentence: what, where, what to do.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/end_to_end/program.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

class BadInputTest : public ProgramTest {
 protected:
  // `parts` must all be in the sentence. Returns what was printed before it.
  std::string expect_refused(const Words& arguments, const Words& parts,
                             std::string_view input = "") const {
    std::string command;
    for (const std::string& argument : arguments) command += argument + " ";
    SCOPED_TRACE(command);
    const Outcome outcome = andrea(arguments, input);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(outcome.errors.starts_with("andrea: ")) << outcome.errors;
    EXPECT_EQ(outcome.errors.find('\n'), outcome.errors.size() - 1) << outcome.errors;
    for (const std::string& part : parts) {
      EXPECT_NE(outcome.errors.find(part), std::string::npos)
          << "no '" << part << "' in: " << outcome.errors;
    }
    return outcome.output;
  }

  void expect_training_refused(const Words& flags, const Words& parts) const {
    fs::remove_all(path("run"));
    expect_refused(small_run("run", flags), parts);
  }
};

TEST_F(BadInputTest, TextThatIsNone) {
  write_contents(path("empty.txt"), "");
  write_contents(path("blank.txt"), " \n\n\t ");
  fs::create_directories(path("folder/empty"));
  expect_training_refused({"--text", "missing.txt"}, {"missing.txt"});
  expect_training_refused({"--text", "empty.txt"}, {"empty.txt"});
  expect_training_refused({"--text", "blank.txt"}, {"blank.txt", "white space"});
  expect_training_refused({"--text", "folder"}, {"folder"});
  expect_training_refused({"--text", "nothing*.txt"}, {"nothing*.txt"});
  expect_training_refused({"--text", "text.txt", "missing.txt"}, {"missing.txt"});
}

TEST_F(BadInputTest, TextThatWillNotDo) {
  write_contents(path("short.txt"), "a\nb\nc\nd\n");
  expect_training_refused({"--text", "short.txt", "--documents", "line"},
                          {"context of 16", "at least 17"});
  write_contents(path("one.txt"), "hi");
  expect_training_refused({"--text", "one.txt"}, {"more text"});
  expect_training_refused({"--context", "100000"}, {"context of 100000", "--context"});
  write_contents(path("lines.jsonl"), "{\"text\": \"fine\"}\n{\"text\": \n");
  expect_training_refused({"--text", "lines.jsonl"}, {"lines.jsonl", "2"});
  write_contents(path("packed.gz"), "not packed at all");
  expect_training_refused({"--text", "packed.gz"}, {"packed.gz"});
  expect_training_refused({"--documents", "word"}, {"word", "paragraph"});
}

// The text was wrong, not the folder: the right one may be trained on in the same place.
TEST_F(BadInputTest, ARefusedTextLeavesNoRunBehind) {
  expect_refused(small_run("run", {"--text", "missing.txt"}), {"missing.txt"});
  const Outcome outcome = andrea(small_run("run"));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
}

TEST_F(BadInputTest, NumbersThatCannotBeMeant) {
  const std::pair<Words, Words> cases[] = {
      {{"--width", "17"}, {"--width 17", "--heads 2"}},
      {{"--layers", "0"}, {"--layers"}},
      {{"--layers", "-1"}, {"--layers"}},
      {{"--layers", "1000000000"}, {"--layers", "between 1 and 1000"}},
      {{"--layers", "99999999999999999999"}, {"--layers"}},
      {{"--width", "2147483647"}, {"--width"}},
      {{"--width", "65536", "--layers", "1000"}, {"memory", "--batch"}},
      {{"--heads", "0"}, {"--heads"}},
      {{"--context", "0"}, {"--context"}},
      {{"--vocabulary", "0"}, {"--vocabulary"}},
      {{"--vocabulary", "100"}, {"vocabulary of 100", "257"}},
      {{"--vocabulary", "70000"}, {"--vocabulary"}},
      {{"--batch", "0"}, {"--batch"}},
      {{"--batch", "-3"}, {"--batch"}},
      {{"--batch", "2147483647"}, {"--batch", "--accumulate"}},
      {{"--steps", "0"}, {"--steps"}},
      {{"--steps", "1e999"}, {"--steps"}},
      {{"--learning-rate", "0"}, {"--learning-rate"}},
      {{"--learning-rate", "-1"}, {"--learning-rate"}},
      {{"--learning-rate", "nan"}, {"--learning-rate"}},
      {{"--learning-rate", "inf"}, {"--learning-rate"}},
      {{"--learning-rate", "1e999"}, {"--learning-rate"}},
      {{"--learning-rate", "much"}, {"--learning-rate"}},
      {{"--epsilon", "inf"}, {"--epsilon"}},
      {{"--seed", "-1"}, {"--seed"}},
      {{"--threads", "0"}, {"--threads"}},
      {{"--threads", "100000"}, {"--threads"}},
      {{"--positions", "sideways"}, {"--positions", "sideways", "learned"}},
      {{"--positions", "rotary"}, {"rotary"}},
      {{"--norm", "post"}, {"pre-norm"}},
      {{"--preset", "121m"}, {"121m", "120m"}},
      {{"--kernels", "cuda"}, {"cuda"}},
  };
  for (const auto& [flags, parts] : cases) expect_training_refused(flags, parts);
}

TEST_F(BadInputTest, OtherCommandsRefuseThemToo) {
  expect_refused({"info", "--width", "0"}, {"--width"});
  expect_refused({"bench", "--repeats", "0"}, {"--repeats"});
  expect_refused({"bench", "everything"}, {"everything", "sampling"});
  expect_refused({"prepare"}, {"austen", "kjv"});
  expect_refused({"prepare", "austin"}, {"austin", "did you mean austen?"});
}

TEST_F(BadInputTest, UnknownFlagsAndCommands) {
  expect_training_refused({"--learning-rat", "1"}, {"--learning-rat;", "--learning-rate?"});
  expect_training_refused({"--zzzzzz"}, {"--zzzzzz", "--help"});
  expect_training_refused({"stray"}, {"stray"});
  expect_refused({"trian"}, {"trian", "did you mean train?"});
  expect_refused({"xyzzy"}, {"xyzzy", "andrea help"});
  expect_refused({"tokenizer", "decod"}, {"did you mean decode?"});
  expect_refused({"tokenizer"}, {"train, encode and decode"});
  expect_refused({"sample", "--promt", "x"}, {"did you mean --prompt?"});
}

TEST_F(BadInputTest, FoldersThatCannotBeWritten) {
  write_contents(path("file"), "");
  expect_refused(small_run("file/run"), {"file/run"});
  expect_refused(small_run("file"), {"file"});
  expect_refused({"tokenizer", "train", "--text", "text.txt", "--out", "file/tok"}, {"file/tok"});
}

TEST_F(BadInputTest, AFolderThatHoldsARunIsNotOverwritten) {
  train_small_run("run");
  const std::string before = essence_of("run");
  expect_refused(small_run("run"), {"run already holds a run", "--resume", "--out"});
  EXPECT_TRUE(essence_of("run") == before);
}

TEST_F(BadInputTest, ResumingWhatIsNotThatRun) {
  expect_refused({"train", "--resume"}, {"there is no run"});
  expect_refused({"train", "--resume", "--out", "none"}, {"none", "no run to continue"});
  train_small_run("run");
  const std::string before = essence_of("run");
  const auto resumed = [](const Words& flags) {
    Words arguments = {"train", "--resume", "--out", "run"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return arguments;
  };
  expect_refused(resumed({"--layers", "2"}), {"run has another model"});
  expect_refused(resumed({"--width", "32"}), {"run has another model"});
  expect_refused(resumed({"--tied"}), {"run has another model"});
  expect_refused(resumed({"--text", "other.txt"}), {"run has another text"});
  expect_refused(resumed({"--batch", "8"}), {"run has another batch"});
  expect_refused(resumed({"--seed", "8"}), {"run has another seed"});
  EXPECT_TRUE(essence_of("run") == before);
}

TEST_F(BadInputTest, TokensOutOfRange) {
  train_small_run("run");
  const Words decode = {"tokenizer", "decode", "--tokenizer", "run/tokenizer"};
  const auto ids = [&](const Words& words) {
    Words arguments = decode;
    arguments.insert(arguments.end(), words.begin(), words.end());
    return arguments;
  };
  expect_refused(ids({"280"}), {"280", "0 to 279"});
  expect_refused(ids({"5", "-1"}), {"-1"});
  expect_refused(ids({"99999999999999"}), {"99999999999999"});
  expect_refused(ids({"abc"}), {"abc"});
  expect_refused(decode, {"280"}, "12 280\n");
  expect_refused(decode, {"12x"}, "12x");
  expect_refused(decode, {"99999999999999"}, "99999999999999");
}

TEST_F(BadInputTest, DamagedTokenizers) {
  train_small_run("run");
  const std::string sound = contents_of(path("run/tokenizer/tokenizer.json"));
  write_contents(path("run/tokenizer/tokenizer.json"), sound.substr(0, sound.size() / 2));
  expect_refused({"tokenizer", "encode", "--tokenizer", "run/tokenizer", "x"},
                 {"run/tokenizer/tokenizer.json"});
  expect_refused({"train", "--resume", "--out", "run"}, {"run/tokenizer/tokenizer.json"});
  expect_refused({"tokenizer", "encode", "--tokenizer", "text.txt", "x"}, {"text.txt"});
  expect_refused({"tokenizer", "encode", "--tokenizer", "missing", "x"}, {"missing"});
  expect_training_refused({"--tokenizer", "text.txt"}, {"text.txt"});
}

TEST_F(BadInputTest, DamagedCheckpoints) {
  train_small_run("run");
  const std::string before = essence_of("run");
  const std::vector<fs::path> checkpoints = checkpoints_of("run");
  ASSERT_EQ(checkpoints.size(), 3u);

  // The newest is passed over, and that is said.
  flip_a_bit(checkpoints[2] / "model.safetensors");
  const Outcome sampled = andrea({"sample", "--checkpoint", "run", "--tokens", "3"});
  EXPECT_EQ(sampled.status, 0) << sampled.errors;
  EXPECT_NE(sampled.errors.find("Passed over: "), std::string::npos) << sampled.errors;
  expect_refused({"sample", "--checkpoint", checkpoints[2].string()},
                 {"model.safetensors is damaged"});
  const Outcome resumed = andrea({"train", "--resume", "--out", "run", "--threads", "1"});
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_NE(resumed.output.find("Passed over: "), std::string::npos) << resumed.output;
  EXPECT_NE(resumed.output.find("Continuing after step 20."), std::string::npos);
  EXPECT_TRUE(essence_of("run") == before);

  for (const fs::path& checkpoint : checkpoints) fs::resize_file(checkpoint / "state.json", 3);
  for (const Words& arguments :
       {Words{"sample", "--checkpoint", "run"}, Words{"eval", "--checkpoint", "run"},
        Words{"train", "--resume", "--out", "run"}}) {
    expect_refused(arguments, {"every checkpoint of run/checkpoints is damaged"});
  }
  expect_refused({"sample", "--checkpoint", "none"}, {"there is no checkpoint none"});
}

TEST_F(BadInputTest, DamagedModels) {
  train_small_run("run");
  fs::create_directory(path("model"));
  const fs::path newest = checkpoints_of("run").back();
  for (const char* name : {"model.safetensors", "config.json", "tokenizer.json"}) {
    fs::copy_file(newest / name, path("model") / name);
  }
  EXPECT_EQ(andrea({"sample", "--checkpoint", "model", "--tokens", "3"}).status, 0);
  fs::resize_file(path("model/model.safetensors"), 5000);
  expect_refused({"sample", "--checkpoint", "model"}, {"model/model.safetensors"});
  fs::copy_file(newest / "model.safetensors", path("model/model.safetensors"),
                fs::copy_options::overwrite_existing);
  const std::string config = contents_of(path("model/config.json"));
  for (const auto& [from, to] : {std::pair{"\"n_embd\": 16", "\"n_embd\": 32"},
                                 std::pair{"\"n_embd\": 16", "\"n_embd\": -16"},
                                 std::pair{"\"n_layer\": 1", "\"n_layer\": 1000"},
                                 std::pair{"\"n_head\": 2", "\"n_head\": 0"}}) {
    std::string changed = config;
    changed.replace(changed.find(from), std::string(from).size(), to);
    write_contents(path("model/config.json"), changed);
    expect_refused({"sample", "--checkpoint", "model"}, {});
  }
}

TEST_F(BadInputTest, DamagedRuns) {
  train_small_run("run");
  const fs::path shard = path("run/data/training_000000.bin");
  const std::string sound = contents_of(shard);
  write_contents(shard, sound.substr(0, sound.size() - 3));
  expect_refused({"train", "--resume", "--out", "run"}, {"training_000000.bin"});
  write_contents(shard, sound);
  write_contents(path("run/config.toml"), "layers = [\n");
  expect_refused({"train", "--resume", "--out", "run"}, {});
  write_contents(path("run/config.toml"), "lairs = 3\n");
  expect_refused({"train", "--resume", "--out", "run"}, {"--lairs", "did you mean --layers?"});
}

TEST_F(BadInputTest, SamplingOptions) {
  train_small_run("run");
  const std::pair<Words, Words> cases[] = {
      {{"--tokens", "-1"}, {"--tokens"}},
      {{"--temperature", "-1"}, {"--temperature"}},
      {{"--temperature", "nan"}, {"--temperature"}},
      {{"--top-k", "-1"}, {"--top-k"}},
      {{"--top-p", "0"}, {"--top-p"}},
      {{"--top-p", "1.5"}, {"--top-p"}},
      {{"--count", "0"}, {"--count"}},
      {{"--tokens", "many"}, {"--tokens"}},
  };
  for (const auto& [flags, parts] : cases) {
    Words arguments = {"sample", "--checkpoint", "run"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    EXPECT_EQ(expect_refused(arguments, parts), "");
  }
  write_contents(path("empty.txt"), "");
  expect_refused({"eval", "--checkpoint", "run", "--text", "empty.txt"}, {"empty.txt"});
  expect_refused({"eval", "--checkpoint", "run", "--text", "missing.txt"}, {"missing.txt"});
}

TEST_F(BadInputTest, ALossThatIsNotFinite) {
  expect_refused(
      small_run("run", {"--learning-rate", "1e6", "--warmup", "0", "--checkpoint-every", "1",
                        "--steps", "200", "--keep", "0"}),
      {"diverged", "at step ", "first tensor that is not finite is ", "--learning-rate"});
  // What is kept is the last checkpoint that can be gone on from, and it is sound.
  const Outcome sampled =
      andrea({"sample", "--checkpoint", "run", "--tokens", "5", "--temperature", "0"});
  EXPECT_EQ(sampled.status, 0) << sampled.errors;
}

// An update can make a model whose next loss is no number: that one is not worth the place of one
// that is sound.
TEST_F(BadInputTest, AModelThatDivergedDoesNotReplaceASoundOne) {
  train_small_run("run");
  expect_refused({"train", "--resume", "--out", "run", "--steps", "40", "--learning-rate", "1e12",
                  "--checkpoint-every", "1", "--keep", "1", "--threads", "1"},
                 {"diverged", "at step "});
  const Outcome sampled =
      andrea({"sample", "--checkpoint", "run", "--tokens", "5", "--temperature", "0"});
  EXPECT_EQ(sampled.status, 0) << sampled.errors;
  const Outcome resumed = andrea({"train", "--resume", "--out", "run", "--steps", "40",
                                  "--learning-rate", "0.001", "--threads", "1"});
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
}

}  // namespace
}  // namespace andrea
