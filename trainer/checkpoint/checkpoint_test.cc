#include "trainer/checkpoint/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/harness/close.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/size_limit.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"
#include "trainer/model/test_model.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

using Floats = std::vector<float>;
using Names = std::vector<std::string>;

// Numbers in every tensor, zeros in the padding.
Floats random_numbers(const ParameterLayout& layout, RandomInputs& random) {
  Floats flat(static_cast<std::size_t>(layout.size()));
  for (const ParameterTensor& tensor : layout.tensors()) {
    const Floats numbers = random.numbers(tensor.count());
    std::copy(numbers.begin(), numbers.end(), flat.begin() + tensor.offset);
  }
  return flat;
}

void fill(Learner& learner) {
  static RandomInputs random;
  learner.parameters().upload(random_numbers(learner.layout(), random));
  learner.first_moments().upload(random_numbers(learner.layout(), random));
  learner.second_moments().upload(random_numbers(learner.layout(), random));
}

// What a folder holds, in order of name.
Names entries_of(const fs::path& folder) {
  Names names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void flip_a_bit(const fs::path& file, std::size_t position) {
  std::string contents = read_file(file);
  contents.at(position) ^= 1;
  write_file(file, contents);
}

class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest() : learner_(test_model(), 1, 4) { fill(learner_); }

  void save(std::int64_t step, int keep = 0) {
    save_checkpoint(checkpoints_, {.step = step, .tokens = 10 * step, .seed = 3, .seconds = 0.25},
                    learner_, tokenizer_, keep);
  }

  // The folder that would be continued from; "" if none.
  std::string found() const {
    const auto checkpoint = find_checkpoint(checkpoints_);
    return checkpoint.has_value() ? checkpoint->folder.filename().string() : "";
  }

  const TestFolder folder_;
  const fs::path checkpoints_ = folder_.path() / "checkpoints";
  const Tokenizer tokenizer_{{{'t', 'h'}, {257, 'e'}, {' ', 't'}}};
  Learner learner_;
};

TEST_F(CheckpointTest, IsLoadedAsItWasSaved) {
  save_checkpoint(checkpoints_, {.step = 7, .tokens = 12345678901, .seed = ~0ull, .seconds = 1.5},
                  learner_, tokenizer_, /*keep=*/3);
  const auto checkpoint = find_checkpoint(checkpoints_);
  ASSERT_TRUE(checkpoint.has_value());
  EXPECT_EQ(checkpoint->folder, checkpoints_ / "step_000007");
  EXPECT_TRUE(checkpoint->damaged.empty());

  Learner other(test_model(), 1, 4);
  const TrainingState state = load_checkpoint(checkpoint->folder, other);
  EXPECT_EQ(state.step, 7);
  EXPECT_EQ(state.tokens, 12345678901);
  EXPECT_EQ(state.seed, ~0ull);
  EXPECT_EQ(state.seconds, 1.5);
  EXPECT_TRUE(bits_equal(other.parameters().to_host(), learner_.parameters().to_host()));
  EXPECT_TRUE(bits_equal(other.first_moments().to_host(), learner_.first_moments().to_host()));
  EXPECT_TRUE(bits_equal(other.second_moments().to_host(), learner_.second_moments().to_host()));
}

TEST_F(CheckpointTest, NoneIsNoError) {
  EXPECT_FALSE(find_checkpoint(checkpoints_).has_value());
  fs::create_directories(checkpoints_);
  EXPECT_FALSE(find_checkpoint(checkpoints_).has_value());
}

TEST_F(CheckpointTest, TheNewestIsByNumberNotByName) {
  for (const std::int64_t step : {999'999, 1'000'000, 5}) save(step);
  EXPECT_EQ(found(), "step_1000000");
}

TEST_F(CheckpointTest, OtherNamesAreNotCheckpoints) {
  save(2);
  for (const char* name :
       {"step_", "step_9x", "step_-9", "step_000009.tmp", "notes", "step_99999999999999999999"}) {
    fs::create_directory(checkpoints_ / name);
  }
  write_file(checkpoints_ / "step_000008", "a file");
  EXPECT_EQ(found(), "step_000002");
}

TEST_F(CheckpointTest, ADamagedFileMakesItBePassedOver) {
  save(2);
  save(4);
  const fs::path newest = checkpoints_ / "step_000004";
  const Names names = entries_of(newest);
  EXPECT_GE(names.size(), 6u);
  for (const std::string& name : names) {
    const std::string sound = read_file(newest / name);
    for (const std::size_t position : {std::size_t{0}, sound.size() / 2, sound.size() - 1}) {
      SCOPED_TRACE(testing::Message() << name << ", byte " << position);
      flip_a_bit(newest / name, position);
      const auto checkpoint = find_checkpoint(checkpoints_);
      ASSERT_TRUE(checkpoint.has_value());
      EXPECT_EQ(checkpoint->folder.filename(), "step_000002");
      ASSERT_EQ(checkpoint->damaged.size(), 1u);
      EXPECT_TRUE(checkpoint->damaged[0].find((newest / name).string()) != std::string::npos ||
                  name == "checksums.json")
          << checkpoint->damaged[0];
      write_file(newest / name, sound);
    }
    SCOPED_TRACE(name);
    for (const std::size_t left : {std::size_t{0}, sound.size() / 2, sound.size() - 2}) {
      write_file(newest / name, sound.substr(0, left));
      EXPECT_EQ(found(), "step_000002") << "cut to " << left << " bytes";
    }
    write_file(newest / name, sound + "x");
    EXPECT_EQ(found(), "step_000002") << "grown";
    fs::remove(newest / name);
    EXPECT_EQ(found(), "step_000002") << "missing";
    write_file(newest / name, sound);
    EXPECT_EQ(found(), "step_000004");
  }
}

TEST_F(CheckpointTest, ChecksumsOfNothingProveNothing) {
  save(2);
  save(4);
  write_file(checkpoints_ / "step_000004" / "checksums.json", "{}\n");
  EXPECT_EQ(found(), "step_000002");
}

TEST_F(CheckpointTest, AllDamagedIsAnError) {
  for (const std::int64_t step : {2, 4}) {
    save(step);
    flip_a_bit(checkpoints_ / (step == 2 ? "step_000002" : "step_000004") / "model.safetensors",
               900);
  }
  const std::string message = message_of<Error>([this] { find_checkpoint(checkpoints_); });
  EXPECT_TRUE(message.starts_with("every checkpoint of " + checkpoints_.string() + " is damaged: "))
      << message;
  EXPECT_NE(message.find("step_000004/model.safetensors"), std::string::npos) << message;
}

TEST_F(CheckpointTest, UnfinishedOnesAreRemoved) {
  save(2);
  const Names sound = entries_of(checkpoints_);
  fs::create_directory(checkpoints_ / "step_000004.tmp");
  write_file(checkpoints_ / "step_000004.tmp" / "model.safetensors", "half");
  fs::create_directory(checkpoints_ / "step_000001.old.tmp");
  EXPECT_EQ(found(), "step_000002");
  remove_unfinished_checkpoints(checkpoints_);
  EXPECT_EQ(entries_of(checkpoints_), sound);
  EXPECT_EQ(found(), "step_000002");
  EXPECT_NO_THROW(remove_unfinished_checkpoints(folder_.path() / "none"));
}

TEST_F(CheckpointTest, AnUnfinishedOneOfTheSameStepIsNoObstacle) {
  fs::create_directories(checkpoints_ / "step_000004.tmp" / "folder");
  save(4);
  EXPECT_EQ(entries_of(checkpoints_), Names{"step_000004"});
  EXPECT_EQ(found(), "step_000004");
}

TEST_F(CheckpointTest, TheNewestOnesAreKept) {
  for (std::int64_t step = 1; step <= 5; ++step) save(step, 2);
  EXPECT_EQ(entries_of(checkpoints_), (Names{"step_000004", "step_000005"}));
  for (std::int64_t step = 6; step <= 8; ++step) save(step, 0);
  EXPECT_EQ(entries_of(checkpoints_).size(), 5u);
  save(9, 1);
  EXPECT_EQ(entries_of(checkpoints_), Names{"step_000009"});
}

TEST_F(CheckpointTest, ADamagedOneOfTheSameStepIsReplaced) {
  save(2);
  save(4);
  flip_a_bit(checkpoints_ / "step_000004" / "optimizer.safetensors", 5000);
  EXPECT_EQ(found(), "step_000002");
  save(4);
  EXPECT_EQ(found(), "step_000004");
  EXPECT_EQ(entries_of(checkpoints_), (Names{"step_000002", "step_000004"}));
}

// A run that went back behind a damaged checkpoint must not count it among those worth keeping.
TEST_F(CheckpointTest, ADamagedOneDoesNotPushOutASoundOne) {
  save(2);
  save(4);
  flip_a_bit(checkpoints_ / "step_000004" / "model.safetensors", 900);
  save(3, /*keep=*/1);
  EXPECT_EQ(found(), "step_000003");
}

TEST_F(CheckpointTest, AnotherShapeIsRefused) {
  save(2);
  const auto refusal = [this](auto change) {
    ModelConfig config = test_model();
    change(config);
    Learner other(config, 1, 4);
    return message_of<Error>([&] { load_checkpoint(checkpoints_ / "step_000002", other); });
  };
  EXPECT_EQ(refusal([](ModelConfig&) {}), "");
  EXPECT_NE(refusal([](ModelConfig& c) { c.width = 24; }).find("the model needs"),
            std::string::npos);
  EXPECT_NE(refusal([](ModelConfig& c) { c.vocabulary = 261; }), "");
  EXPECT_NE(refusal([](ModelConfig& c) { c.context = 8; }), "");
  EXPECT_NE(refusal([](ModelConfig& c) { c.layers = 3; }).find("has no tensor transformer.h.2."),
            std::string::npos);
  // Of these the checkpoint holds everything that the model asks for, and more.
  EXPECT_NE(refusal([](ModelConfig& c) { c.layers = 1; }), "");
  EXPECT_NE(refusal([](ModelConfig& c) { c.tied = true; }), "");
  EXPECT_NE(refusal([](ModelConfig& c) { c.biases = false; }), "");
}

TEST_F(CheckpointTest, AStateThatLacksSomethingIsRefused) {
  save(2);
  const fs::path state = checkpoints_ / "step_000002" / "state.json";
  for (const char* damaged : {"{", "[]", "{\"step\": 2}", "{\"step\": \"two\"}"}) {
    write_file(state, damaged);
    const std::string message =
        message_of<Error>([this] { load_checkpoint(checkpoints_ / "step_000002", learner_); });
    EXPECT_TRUE(message.starts_with(state.string())) << damaged << ": " << message;
  }
}

TEST_F(CheckpointTest, AFullDiskLeavesEarlierOnesIntact) {
  save(2, 1);
  const fs::path earlier = checkpoints_ / "step_000002";
  const auto weights = fs::file_size(earlier / "model.safetensors");
  const Floats saved = learner_.parameters().to_host();
  fill(learner_);
  for (const auto room : {std::uintmax_t{0}, std::uintmax_t{5000}, weights - 1, weights,
                          fs::file_size(earlier / "optimizer.safetensors") - 1}) {
    SCOPED_TRACE(room);
    const std::string message = [&] {
      const SizeLimit limit(room);
      return message_of<Error>([this] { save(4, 1); });
    }();
    EXPECT_TRUE(message.starts_with("the checkpoint of step 4 could not be written: ")) << message;
    EXPECT_TRUE(message.ends_with("; earlier checkpoints are as they were")) << message;
    EXPECT_EQ(entries_of(checkpoints_), Names{"step_000002"});
    EXPECT_NO_THROW(verify_checkpoint(earlier));
  }
  Learner other(test_model(), 1, 4);
  load_checkpoint(earlier, other);
  EXPECT_TRUE(bits_equal(other.parameters().to_host(), saved));

  save(4, 1);  // there is room again
  EXPECT_EQ(found(), "step_000004");
}

TEST_F(CheckpointTest, AFolderThatCannotBeWrittenIsTold) {
  write_file(folder_.path() / "file", "");
  const std::string message = message_of<Error>([this] {
    save_checkpoint(folder_.path() / "file" / "checkpoints", {.step = 1}, learner_, tokenizer_, 1);
  });
  EXPECT_TRUE(message.starts_with("the checkpoint of step 1 could not be written: ")) << message;
}

}  // namespace
}  // namespace andrea
