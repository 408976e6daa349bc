// What is written is read back by the report.

#include "trainer/run/run_description.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "trainer/base/test_folder.h"
#include "trainer/model/test_model.h"
#include "trainer/report/run_record.h"

namespace andrea {
namespace {

std::string value_of(const NamedValues& values, const std::string& name) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const auto& value) { return value.first == name; });
  return found == values.end() ? "absent" : found->second;
}

TEST(RunDescriptionTest, TheReportReadsWhatIsWritten) {
  const std::vector<KernelOrigin> kernels = {{"adamw", "//kernels/cpu:adamw"}};
  RunDescription run;
  run.name = "tiny";
  run.status = "running";
  run.corpus = "stories";
  run.machine = "2 threads";
  run.parameters = 1234;
  run.seconds = 1.5;
  run.model = test_model();
  run.kernels = kernels;
  run.limits = {2.5, 0.5, 0.75};
  run.options.steps = 20;
  run.options.batch = 3;
  run.model.precision = Precision::bf16;
  const TestFolder folder;
  folder.write("run.json", run_json(run));
  const RunRecord record = read_run_record(folder.path());
  EXPECT_EQ(record.name, "tiny");
  EXPECT_EQ(record.status, "running");
  EXPECT_EQ(record.corpus, "stories");
  EXPECT_EQ(record.machine, "2 threads");
  EXPECT_EQ(record.parameters, 1234);
  EXPECT_EQ(record.steps, 20);
  EXPECT_EQ(record.seconds, 1.5);
  EXPECT_EQ(record.unigram_bits_per_byte, 2.5);
  EXPECT_EQ(record.entropy_bits_per_byte, 0.5);
  EXPECT_EQ(record.validation_exact_bits_per_byte, 0.75);
  EXPECT_EQ(value_of(record.shape, "width"), std::to_string(run.model.width));
  EXPECT_EQ(value_of(record.options, "batch"), "3");
  EXPECT_EQ(value_of(record.options, "precision"), "bf16");
  EXPECT_EQ(value_of(record.kernels, "adamw"), "//kernels/cpu:adamw");
}

TEST(RunDescriptionTest, WhatIsNotKnownOfATextIsLeftOut) {
  const TestFolder folder;
  RunDescription run;
  run.limits = {2.5, std::nullopt, std::nullopt};
  folder.write("run.json", run_json(run));
  const RunRecord record = read_run_record(folder.path());
  EXPECT_EQ(record.unigram_bits_per_byte, 2.5);
  EXPECT_FALSE(record.entropy_bits_per_byte.has_value());
  EXPECT_FALSE(record.validation_exact_bits_per_byte.has_value());
}

}  // namespace
}  // namespace andrea
