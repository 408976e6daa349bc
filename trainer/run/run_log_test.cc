#include "trainer/run/run_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

using Json = nlohmann::json;

TEST(RunLogTest, WritesALineAStep) {
  const TestFolder folder;
  const RunFolder run{folder.path()};
  RunLog log(run, 0);
  log.append({.step = 1,
              .tokens = 32,
              .loss = 5.5,
              .learning_rate = 0.001,
              .gradient_norm = 2.25,
              .tokens_per_second = 1234.56});
  TrainedStep validated{.step = 2, .tokens = 64, .loss = 5};
  validated.validation = ValidationResult{.nats = 400, .tokens = 100, .bytes = 200};
  log.append(validated);
  log.append_sample(2, "Once", "upon\na time \xff\"");
  log.sync();

  const std::string metrics = read_file(run.metrics());
  const std::size_t end = metrics.find('\n');
  EXPECT_EQ(metrics.substr(0, end),
            R"({"step":1,"tokens":32,"loss":5.5,"learning_rate":0.001,"gradient_norm":2.25,)"
            R"("tokens_per_second":1235.0})");
  const Json second = Json::parse(metrics.substr(end + 1));
  EXPECT_EQ(second["validation_loss"], 4);
  EXPECT_DOUBLE_EQ(second["bits_per_byte"], 2 / std::log(2.0));
  const Json sample = Json::parse(read_file(run.samples()));
  EXPECT_EQ(sample["step"], 2);
  EXPECT_EQ(sample["prompt"], "Once");
  EXPECT_EQ(sample["text"], "upon\na time \xef\xbf\xbd\"");
}

// Every digit of a loss is written, so that two runs can be compared by their files.
TEST(RunLogTest, NumbersAreReadBackAsTheyWere) {
  const TestFolder folder;
  const RunFolder run{folder.path()};
  RunLog log(run, 0);
  const double loss = 5.123456789012345678, norm = 1.0 / 3;
  log.append({.step = 1, .loss = loss, .gradient_norm = norm});
  const Json line = Json::parse(read_file(run.metrics()));
  EXPECT_EQ(line["loss"].get<double>(), loss);
  EXPECT_EQ(line["gradient_norm"].get<double>(), norm);
}

TEST(RunLogTest, ContinuesBehindAStep) {
  const TestFolder folder;
  const RunFolder run{folder.path()};
  {
    RunLog log(run, 0);
    for (std::int64_t step = 1; step <= 5; ++step) {
      log.append({.step = step, .loss = 1});
      log.append_sample(step, "", "first");
    }
  }
  RunLog log(run, 3);
  log.append({.step = 4, .loss = 2});
  std::string losses, steps;
  std::istringstream metrics(read_file(run.metrics()));
  for (std::string line; std::getline(metrics, line);) {
    const Json json = Json::parse(line);
    steps += std::to_string(json["step"].get<int>());
    losses += std::to_string(json["loss"].get<int>());
  }
  EXPECT_EQ(steps, "1234");
  EXPECT_EQ(losses, "1112");
  const std::string samples = read_file(run.samples());
  EXPECT_EQ(std::count(samples.begin(), samples.end(), '\n'), 3);
}

class TruncateTest : public testing::Test {
 protected:
  std::string after(const std::string& contents, std::int64_t step) const {
    const std::string path = folder_.write("lines.jsonl", contents);
    truncate_to_step(path, step);
    return read_file(path);
  }

  const TestFolder folder_;
};

TEST_F(TruncateTest, LaterStepsGo) {
  const std::string one = "{\"step\":1,\"x\":2}\n", two = "{ \"step\": 2 }\n";
  EXPECT_EQ(after(one + two, 2), one + two);
  EXPECT_EQ(after(one + two, 1), one);
  EXPECT_EQ(after(one + two, 0), "");
  EXPECT_EQ(after("", 5), "");
  // Several lines of one step, as a file of samples may have.
  EXPECT_EQ(after(one + one + two, 1), one + one);
}

TEST_F(TruncateTest, ALineCutShortGoes) {
  const std::string one = "{\"step\":1}\n", two = "{\"step\":2,\"loss\":3}\n";
  for (std::size_t length = 0; length < two.size(); ++length) {
    EXPECT_EQ(after(one + two.substr(0, length), 9), one) << length;
  }
}

TEST_F(TruncateTest, WhatIsNoStepGoes) {
  const std::string one = "{\"step\":1}\n";
  EXPECT_EQ(after(one + "\n" + "not JSON\n" + "[1]\n" + "{\"loss\":3}\n", 9), one);
  // As a crash of the machine may leave a file: its length written, its contents not.
  EXPECT_EQ(after(one + std::string(100, '\0') + "\n", 9), one);
  EXPECT_EQ(after(one + "{\"step\":\"2\"}\n", 9), one);
  EXPECT_EQ(after(one + "{\"step\":null}\n", 9), one);
}

TEST_F(TruncateTest, AMissingFileIsFine) {
  EXPECT_NO_THROW(truncate_to_step(folder_.path() / "none", 3));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "none"));
}

TEST(RunLogTest, AFileThatCannotBeWrittenIsNamed) {
  const TestFolder folder;
  const RunFolder run{folder.path()};
  RunLog log(run, 0);
  std::filesystem::create_directory(run.metrics());
  EXPECT_EQ(message_of<Error>([&] { log.append({.step = 1}); }),
            "cannot write " + run.metrics().string() + ": Is a directory");
}

}  // namespace
}  // namespace andrea
