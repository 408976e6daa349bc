#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/parameter_layout.h"
#include "tests/harness/random_inputs.h"
#include "trainer/base/process.h"
#include "trainer/base/test_folder.h"
#include "trainer/checkpoint/model_folder.h"
#include "trainer/tokenizer/tokenizer.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

class LogitLensProgramTest : public testing::Test {
 protected:
  LogitLensProgramTest() : program_(fs::absolute(std::getenv("LOGIT_LENS"))) {}

  // A model of two blocks and 8 tokens of context.
  std::string model(NormPlacement norm = NormPlacement::pre) {
    const Tokenizer tokenizer({{'t', 'h'}, {257, 'e'}});
    ModelConfig config;
    config.layers = config.heads = 2;
    config.width = config.mlp_width = 8;
    config.vocabulary = tokenizer.vocabulary();
    config.context = 8;
    config.norm = norm;
    const ParameterLayout layout(config);
    RandomInputs random;
    std::vector<float> parameters(static_cast<std::size_t>(layout.size()));
    for (const ParameterTensor& tensor : layout.tensors()) {
      const std::vector<float> numbers = random.numbers(tensor.count());
      std::copy(numbers.begin(), numbers.end(), parameters.begin() + tensor.offset);
    }
    const fs::path folder = folder_.path() / "model";
    fs::create_directories(folder);
    write_model(folder, layout, parameters, tokenizer);
    return folder.string();
  }

  ProcessResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), program_.string());
    return run_process(arguments, folder_.path());
  }

  // One line, which holds `words`, and the status 2.
  void expect_refusal(const std::vector<std::string>& arguments, const std::string& words) {
    const ProcessResult result = run(arguments);
    EXPECT_EQ(result.status, 2) << words;
    EXPECT_EQ(result.output, "");
    EXPECT_NE(result.errors.find(words), std::string::npos) << result.errors;
    EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1) << result.errors;
  }

  const TestFolder folder_;
  const fs::path program_;
};

TEST_F(LogitLensProgramTest, HasALineForEachPositionAndAColumnForEachDepth) {
  const ProcessResult result = run({"--checkpoint", model(), "--prompt", "the a"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("2 blocks"), std::string::npos);
  // Where the text begins, "the", " ", "a".
  std::size_t at = result.output.find("read        0               1               2");
  ASSERT_NE(at, std::string::npos) << result.output;
  for (const std::string read : {"\n  (start)", "\n  \"the\"", "\n  \" \"", "\n  \"a\""}) {
    at = result.output.find(read, at);
    ASSERT_NE(at, std::string::npos) << read << " is missing in\n" << result.output;
  }
  EXPECT_NE(result.output.find("no validation text"), std::string::npos);
}

TEST_F(LogitLensProgramTest, RefusesWhatIsNoModel) {
  expect_refusal({}, "no run in the folder runs");
  expect_refusal({"--checkpoint", "nowhere"}, "no checkpoint nowhere");
  expect_refusal({"--checkpoint", "."}, "holds no checkpoint");
  expect_refusal({"--checkpoint", model(NormPlacement::post)}, "cannot be looked into");
}

TEST_F(LogitLensProgramTest, RefusesAPromptThatDoesNotFit) {
  const std::string folder = model();
  EXPECT_EQ(run({"--checkpoint", folder, "--prompt", "abcdefg"}).status, 0);
  expect_refusal({"--checkpoint", folder, "--prompt", "abcdefgh"}, "the prompt has 8 tokens");
  expect_refusal({"--checkpoint", folder, "--prompt", ""}, "the prompt is empty");
  expect_refusal({"--checkpoint", folder, "more"}, "logit_lens does not know more");
}

}  // namespace
}  // namespace andrea
