#include "trainer/report/run_record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

class RunRecordTest : public testing::Test {
 protected:
  RunRecord read() const { return read_run_record(folder_.path()); }

  // The part of the message after the path of the folder.
  std::string error_with(const std::string& file, const std::string& contents) const {
    folder_.write(file, contents);
    const std::string message = message_of<Error>([&] { read(); });
    const std::string folder = folder_.path().string() + "/";
    return message.starts_with(folder) ? message.substr(folder.size()) : message;
  }

  const TestFolder folder_;
};

TEST_F(RunRecordTest, ReadsWhatTheTrainerWrites) {
  folder_.write("run.json", R"({
    "name": "tiny", "corpus": "stories, seed 1", "parameters": 1234567,
    "shape": {"layers": 4, "tied": true},
    "options": {"learning_rate": 3e-4, "text": ["a.txt", "b.txt"], "optimizer": {"beta1": 0.9}},
    "kernels": [{"operation": "attention", "implementation": "//kernels/cpu:attention"}],
    "machine": "2 threads", "entropy_bits_per_byte": 0.52, "steps": 2000, "status": "running",
    "seconds": 123.4})");
  folder_.write("metrics.jsonl",
                R"({"step":1,"tokens":8192,"loss":9.2,"learning_rate":3e-4,"gradient_norm":1.3,)"
                R"("tokens_per_second":12345.0})"
                "\n"
                R"({"step":2,"tokens":16384,"loss":9.1,"validation_loss":9.15,"bits_per_byte":4.5})"
                "\n");
  folder_.write("samples.jsonl",
                "{\"step\":2,\"prompt\":\"A\",\"text\":\"A cat\\n\\u0000</b>\"}\n");

  const RunRecord run = read();
  EXPECT_EQ(run.name, "tiny");
  EXPECT_EQ(run.parameters, 1234567);
  EXPECT_EQ(run.steps, 2000);
  EXPECT_EQ(run.seconds, 123.4);
  EXPECT_EQ(run.entropy_bits_per_byte, 0.52);
  EXPECT_FALSE(run.unigram_bits_per_byte);
  EXPECT_EQ(run.shape, (NamedValues{{"layers", "4"}, {"tied", "yes"}}));
  EXPECT_EQ(run.options, (NamedValues{{"learning_rate", "0.0003"},
                                      {"text", "a.txt, b.txt"},
                                      {"optimizer.beta1", "0.9"}}));
  EXPECT_EQ(run.kernels, (NamedValues{{"attention", "//kernels/cpu:attention"}}));

  ASSERT_EQ(run.metrics.size(), 2u);
  EXPECT_EQ(run.metrics[0].step, 1);
  EXPECT_EQ(run.metrics[0].tokens, 8192);
  EXPECT_EQ(run.metrics[0].gradient_norm, 1.3);
  EXPECT_FALSE(run.metrics[0].validation_loss);
  EXPECT_EQ(run.metrics[1].validation_loss, 9.15);
  EXPECT_EQ(run.metrics[1].bits_per_byte, 4.5);

  ASSERT_EQ(run.samples.size(), 1u);
  EXPECT_EQ(run.samples[0].text, std::string("A cat\n\0</b>", 11));
}

TEST_F(RunRecordTest, FolderWithoutFilesIsAnEmptyRun) {
  const RunRecord run = read();
  EXPECT_TRUE(run.metrics.empty());
  EXPECT_TRUE(run.samples.empty());
  EXPECT_EQ(run.name, "");
  folder_.write("metrics.jsonl", "");
  EXPECT_TRUE(read().metrics.empty());
}

TEST_F(RunRecordTest, LeavesOutALastLineThatWasCutAnywhere) {
  const std::string first = "{\"step\":1,\"loss\":9.2}\n", second = "{\"step\":12,\"loss\":9.1}\n";
  for (std::size_t length = 0; length + 2 <= second.size(); ++length) {
    folder_.write("metrics.jsonl", first + second.substr(0, length));
    ASSERT_EQ(read().metrics.size(), 1u) << length;
  }
  // This one lacks no more than its line feed.
  folder_.write("metrics.jsonl", first + second.substr(0, second.size() - 1));
  EXPECT_EQ(read().metrics.size(), 2u);
  folder_.write("metrics.jsonl", first + std::string(100, '\0'));
  EXPECT_EQ(read().metrics.size(), 1u);
  folder_.write("samples.jsonl", "{\"step\":1,\"text\":\"Once \xc3");
  EXPECT_TRUE(read().samples.empty());
}

TEST_F(RunRecordTest, NullIsNotANumber) {
  folder_.write("metrics.jsonl", "{\"step\":1,\"loss\":null,\"bits_per_byte\":null}\n");
  const StepMetrics metrics = read().metrics.at(0);
  ASSERT_TRUE(metrics.loss && metrics.bits_per_byte);
  EXPECT_TRUE(std::isnan(*metrics.loss));
  EXPECT_TRUE(std::isnan(*metrics.bits_per_byte));
  EXPECT_FALSE(metrics.gradient_norm);
  folder_.write("run.json", "{\"seconds\":null,\"name\":null,\"shape\":null,\"parameters\":null}");
  EXPECT_FALSE(read().seconds);
}

TEST_F(RunRecordTest, NamesFileLineAndKeyOfAFault) {
  EXPECT_EQ(error_with("metrics.jsonl", "{\"step\":1}\n{\"step\":\n{\"step\":3}\n"),
            "metrics.jsonl, line 2: it is not JSON; remove the line, or take the file from a "
            "backup");
  EXPECT_EQ(error_with("metrics.jsonl", "{\"step\":1}\n\n{\"step\":3}\n").substr(0, 21),
            "metrics.jsonl, line 2");
  EXPECT_EQ(error_with("metrics.jsonl", "{\"step\":1,\"loss\":\"low\"}\n"),
            "metrics.jsonl, line 1: \"loss\" should be a number, not \"low\"");
  EXPECT_EQ(error_with("metrics.jsonl", "{\"step\":1.5}\n"),
            "metrics.jsonl, line 1: \"step\" should be a whole number, not 1.5");
  EXPECT_EQ(error_with("metrics.jsonl", "{\"loss\":1.5}\n"),
            "metrics.jsonl, line 1: it has no \"step\"");
  EXPECT_EQ(error_with("metrics.jsonl", "[1]\n"),
            "metrics.jsonl, line 1: expected an object in braces, found [1]");
  EXPECT_EQ(error_with("metrics.jsonl", "{\"step\":2}\n{\"step\":2}\n"),
            "metrics.jsonl, line 2: step 2 comes after step 2; two runs seem to have written into "
            "this folder");
  EXPECT_EQ(error_with("metrics.jsonl", "{\"step\":1,\"loss\":1e999}\n").substr(0, 21),
            "metrics.jsonl, line 1");
}

TEST_F(RunRecordTest, NamesTheFaultOfRunJson) {
  EXPECT_EQ(error_with("run.json", "{\"name\":"),
            "run.json: it is not JSON; take it from a backup, or remove it: the report then does "
            "without");
  EXPECT_EQ(error_with("run.json", "{\"parameters\":-1}"),
            "run.json: \"parameters\" should be a whole number, not -1");
  EXPECT_EQ(error_with("run.json", "{\"name\":[]}"), "run.json: \"name\" should be a text, not []");
  EXPECT_EQ(error_with("run.json", "{\"kernels\":{}}"),
            "run.json: \"kernels\" should be a list in brackets, not {}");
}

}  // namespace
}  // namespace andrea
