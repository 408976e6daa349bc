#include "trainer/report/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/random.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

// A run of a model that learns, validated a hundred times.
RunRecord example(std::int64_t steps) {
  RunRecord run;
  run.name = "tiny";
  run.status = "running";
  run.parameters = 98820096;
  run.steps = steps;
  run.entropy_bits_per_byte = 0.52;
  Random random(1);
  for (std::int64_t step = 1; step <= steps; ++step) {
    StepMetrics metrics;
    metrics.step = step;
    metrics.tokens = step * 8192;
    const double loss = 2 + 7 / std::sqrt(static_cast<double>(step));
    metrics.loss = loss + 0.1 * random.normal();
    metrics.learning_rate = 3e-4;
    metrics.gradient_norm = std::exp(random.normal());
    metrics.tokens_per_second = 20000 + 500 * random.normal();
    if (step % (steps / 100 + 1) == 0 || step == steps) {
      metrics.validation_loss = loss;
      metrics.bits_per_byte = loss / 2;
    }
    run.metrics.push_back(metrics);
  }
  return run;
}

TEST(Report, IsWrittenIntoTheFolderOfTheRun) {
  const TestFolder folder;
  folder.write("run.json", R"({"name": "tiny", "status": "finished", "parameters": 98820096})");
  folder.write("metrics.jsonl", "{\"step\":1,\"tokens\":8192,\"loss\":9.2}\n{\"step\":2,\"lo");
  folder.write("samples.jsonl", "{\"step\":1,\"prompt\":\"\",\"text\":\"Once\"}\n");
  write_report(folder.path());
  const std::string page = read_file(folder.path() / "report.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(has(page, "<h1>tiny</h1>"));
  EXPECT_TRUE(has(page, "Finished"));
  EXPECT_TRUE(has(page, "98,820,096"));
  EXPECT_TRUE(has(page, "8,192"));
  EXPECT_TRUE(has(page, ">Once</div>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST(Report, ShowsTheFiguresOfTheRun) {
  RunRecord run = example(1000);
  run.metrics.back().bits_per_byte = 1.5;
  run.options = {{"learning_rate", "0.0003"}};
  run.kernels = {{"attention", "//kernels/cpu:attention"}};
  const std::string page = report_html(run);
  EXPECT_TRUE(has(page, "<dt>Best validation</dt><dd><strong>1.111</strong>")) << page;
  EXPECT_TRUE(has(page, "<dt>Last validation</dt><dd><strong>1.5</strong>"));
  EXPECT_TRUE(has(page, "<dt>Limit of the source</dt><dd><strong>0.52</strong>"));
  EXPECT_TRUE(has(page, "best is 114 % above"));
  EXPECT_TRUE(has(page, "no model beats this: 0.52"));
  EXPECT_EQ(count(page, "<figure"), 5u);
  EXPECT_TRUE(has(page, "<th scope=\"row\">learning_rate</th><td>0.0003</td>"));
  EXPECT_TRUE(has(page, "<th scope=\"row\">attention</th><td>//kernels/cpu:attention</td>"));
}

// The source needs more for this text than on average, so that a good model may lie between.
TEST(Report, DrawsTheLimitOfTheValidationTextRatherThanTheEntropy) {
  RunRecord run = example(100);
  run.validation_exact_bits_per_byte = 0.53;
  const std::string page = report_html(run);
  EXPECT_TRUE(has(page, "no model beats this: 0.53<"));
  EXPECT_TRUE(has(page, "on average over all its texts 0.52, its entropy"));
}

TEST(Report, OfAnEmptyRunSaysThatThereIsNothingYet) {
  const TestFolder folder;
  write_report(folder.path());
  const std::string page = read_file(folder.path() / "report.html");
  EXPECT_TRUE(has(page, "nothing yet"));
  EXPECT_FALSE(has(page, "<figure"));
  EXPECT_FALSE(has(page, "<details"));
}

TEST(Report, OfAFailedRunNamesTheStep) {
  RunRecord run = example(300);
  run.status = "failed";
  run.metrics.back().loss = NAN;
  run.metrics.back().gradient_norm = INFINITY;
  run.metrics.back().validation_loss = NAN;
  run.metrics.back().bits_per_byte = NAN;
  const std::string page = report_html(run);
  EXPECT_TRUE(has(page, "At step 300 the loss was not a number"));
  EXPECT_TRUE(has(page, "<dt>Last and best validation</dt>"));
  EXPECT_FALSE(has(page, "nan,"));
  EXPECT_FALSE(has(page, ",nan"));
  EXPECT_EQ(count(page, "<figure"), 5u);

  for (StepMetrics& metrics : run.metrics) {
    metrics.loss = metrics.gradient_norm = metrics.validation_loss = metrics.bits_per_byte = NAN;
  }
  EXPECT_EQ(count(report_html(run), "<figure"), 2u);  // learning rate and speed
}

TEST(Report, EscapesEverythingFromOutside) {
  const std::string hostile = "</script><script>alert(1)</script><b x=\"'&";
  RunRecord run = example(10);
  run.name = run.corpus = run.machine = run.status = hostile;
  run.shape = run.options = run.kernels = {{hostile, hostile}};
  run.samples = {{1, hostile, hostile + hostile}, {2, "", hostile}};
  const std::string page = report_html(run);
  EXPECT_EQ(count(page, "<script"), 1u);
  EXPECT_EQ(count(page, "</script"), 1u);
  EXPECT_FALSE(has(page, "<b x"));
  EXPECT_TRUE(has(page, "&lt;/script&gt;&lt;script&gt;alert(1)"));
}

TEST(Report, AsksNothingOfAnyNetwork) {
  const std::string page = report_html(example(100));
  EXPECT_TRUE(has(page, "content=\"default-src 'none';"));
  for (const char* part : {"http:", "https:", " src=", "href=", "url(", "@import"}) {
    EXPECT_FALSE(has(page, part)) << part;
  }
}

TEST(Report, ShowsTheLatestSampleOpenAndFirst) {
  RunRecord run;
  run.samples = {
      {1, "", "~~noise"}, {200, "Tom ", "Tom was"}, {200, "", "مرحبا"}, {400, "", "A <cat>"}};
  const std::string page = report_html(run);
  const auto at = [&](const std::string& part) { return page.find(part); };
  EXPECT_EQ(count(page, "<details open>"), 1u);
  EXPECT_EQ(count(page, "<details>"), 2u);
  EXPECT_LT(at("<details open>"), at("A &lt;cat&gt;</div>"));
  EXPECT_LT(at("A &lt;cat&gt;</div>"), at("<b title=\"prompt\">Tom </b>was</div>"));
  EXPECT_LT(at("مرحبا</div>"), at("~~noise</div>"));
}

TEST(Report, OfALongRunStaysSmall) {
  RunRecord run = example(200000);
  for (std::int64_t step = 0; step <= 200000; step += 100) {
    run.samples.push_back({step, "", std::string(3000, '<')});
    run.samples.push_back({step, "", std::string(3000, '\x01')});
  }
  const std::string page = report_html(run);
  EXPECT_LT(page.size(), 1000000u);
  EXPECT_LE(count(page, "<details"), 24u);
  EXPECT_TRUE(has(page, "step 200,000</span>"));
  EXPECT_TRUE(has(page, "step 0</span>"));
  EXPECT_TRUE(has(page, "bytes more in samples.jsonl"));
}

TEST(Report, OfADamagedRunLeavesTheOldReport) {
  const TestFolder folder;
  folder.write("report.html", "old");
  folder.write("metrics.jsonl", "{\"step\":1}\nnonsense\n{\"step\":3}\n");
  EXPECT_THROW(write_report(folder.path()), Error);
  EXPECT_EQ(read_file(folder.path() / "report.html"), "old");
  EXPECT_THROW(write_report(folder.path() / "missing"), Error);
}

}  // namespace
}  // namespace andrea
