// A run that is stopped by Ctrl-C, by SIGTERM or by a full disk and then continued equals one that
// was left alone, bit for bit.

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "tests/end_to_end/program.h"
#include "tests/harness/size_limit.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

class InterruptionTest : public ProgramTest {
 protected:
  // Long enough to be interrupted, with a checkpoint only now and then.
  static Words long_run(const std::string& run) {
    return small_run(run, {"--steps", "1500", "--checkpoint-every", "600", "--validate-every",
                           "400", "--sample-every", "500"});
  }

  void train_long_run(const std::string& run) const {
    const Outcome outcome = andrea(long_run(run));
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
  }

  void expect_clean_end(int signal, const std::string& name) {
    Program program(long_run("run"), path(""));
    while (lines_of(path("run/metrics.jsonl")) < 3 && program.running()) usleep(100);
    ASSERT_TRUE(program.running());
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.errors, "");

    const int step = lines_of(path("run/metrics.jsonl"));
    ASSERT_LT(step, 1500);
    EXPECT_NE(outcome.output.find("Stopped by " + name + " after step " + std::to_string(step) +
                                  "; nothing is lost."),
              std::string::npos)
        << outcome.output;
    char folder[32];
    std::snprintf(folder, sizeof folder, "step_%06d", step);
    EXPECT_EQ(checkpoints_of("run").back().filename(), folder);
    EXPECT_NE(contents_of(path("run/run.json")).find("\"interrupted\""), std::string::npos);

    const Outcome resumed = andrea({"train", "--resume", "--out", "run", "--threads", "1"});
    EXPECT_EQ(resumed.status, 0) << resumed.errors;
    EXPECT_NE(resumed.output.find("Continuing after step " + std::to_string(step) + "."),
              std::string::npos)
        << resumed.output;
    train_long_run("alone");
    EXPECT_TRUE(essence_of("run") == essence_of("alone"));
  }
};

TEST_F(InterruptionTest, SigtermEndsCleanly) { expect_clean_end(SIGTERM, "SIGTERM"); }

TEST_F(InterruptionTest, CtrlCEndsCleanly) { expect_clean_end(SIGINT, "Ctrl-C"); }

TEST_F(InterruptionTest, ASecondProcessIsKeptOut) {
  Program program(long_run("run"), path(""));
  ASSERT_TRUE(wait_for(path("run/metrics.jsonl"), program));
  const std::string config = contents_of(path("run/config.toml"));
  const Outcome second = andrea({"train", "--resume", "--out", "run", "--steps", "9999"});
  ASSERT_TRUE(program.running());
  EXPECT_EQ(second.status, 2);
  EXPECT_NE(second.errors.find("another process is training in run"), std::string::npos)
      << second.errors;
  EXPECT_TRUE(contents_of(path("run/config.toml")) == config) << "its config file has changed";
}

TEST_F(InterruptionTest, AFullDiskLosesNothing) {
  train_small_run("alone");
  train_small_run("run");
  // Back to step 20, as if it had got no further.
  for (const fs::path& checkpoint : checkpoints_of("run")) {
    if (checkpoint.filename() == "step_000030") fs::remove_all(checkpoint);
  }
  const fs::path twenty = path("run/checkpoints/step_000020");
  const std::string optimizer = contents_of(twenty / "optimizer.safetensors");

  const Words resume = {"train", "--resume", "--out", "run", "--threads", "1"};
  const Outcome full = [&] {
    const SizeLimit limit(optimizer.size() - 1);
    return andrea(resume);
  }();
  EXPECT_EQ(full.status, 2);
  EXPECT_TRUE(full.errors.starts_with("andrea: the checkpoint of step 30 could not be written: "))
      << full.errors;
  EXPECT_EQ(full.errors.find('\n'), full.errors.size() - 1) << full.errors;
  EXPECT_EQ(checkpoints_of("run").back(), twenty);
  EXPECT_TRUE(contents_of(twenty / "optimizer.safetensors") == optimizer);

  const Outcome resumed = andrea(resume);
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_TRUE(essence_of("run") == essence_of("alone"));
}

}  // namespace
}  // namespace andrea
