// A run killed by SIGKILL at any instant, and taken up again as often as that takes, equals one
// that was left alone, bit for bit.
//
// BUILD divides the tests: KillTest is quick, KillCampaign takes minutes.

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>

#include "tests/end_to_end/program.h"
#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class KillTest : public ProgramTest {
 protected:
  // A checkpoint at every second step: most of the time one is being written.
  static Words flags() { return {"--checkpoint-every", "2"}; }

  // Begins the run, or goes on with it.
  Words next_sitting() const {
    if (!fs::exists(path("run/config.toml"))) return small_run("run", flags());
    return {"train", "--resume", "--out", "run", "--threads", "1"};
  }

  void kill_when_there_is(const std::string& name) {
    SCOPED_TRACE("killed when there is " + name);
    Program program(next_sitting(), path(""));
    wait_for(path(name), program);
    expect_killed(program);
  }

  void kill_after(double seconds) {
    SCOPED_TRACE(testing::Message() << "killed after " << seconds << " s");
    Program program(next_sitting(), path(""));
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (program.running() && Clock::now() < end) usleep(100);
    expect_killed(program);
  }

  // The run comes to its end, and to the same one.
  void expect_sound_end(const std::string& expected) {
    const Outcome outcome = andrea(next_sitting());
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output.find("Passed over"), std::string::npos) << outcome.output;
    EXPECT_TRUE(essence_of("run") == expected);
    for (const auto& entry : fs::recursive_directory_iterator(path("run"))) {
      EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
    }
  }

 private:
  // Ended by the signal, or by itself just before: never by a fault.
  static void expect_killed(Program& program) {
    program.send(SIGKILL);
    const Outcome outcome = program.wait();
    EXPECT_TRUE(outcome.status == 128 + SIGKILL || outcome.status == 0) << outcome.errors;
  }
};

TEST_F(KillTest, InSetUpInACheckpointAndAnywhereElse) {
  const auto start = Clock::now();
  train_small_run("alone", flags());
  const double duration = std::chrono::duration<double>(Clock::now() - start).count();
  RandomInputs random;
  kill_when_there_is("run/data");
  kill_when_there_is("run/checkpoints/step_000006.tmp/optimizer.safetensors");
  kill_after(duration * (0.5 + 0.5 * random.numbers(1).front()));
  expect_sound_end(essence_of("alone"));
}

class KillCampaign : public KillTest {};

TEST_F(KillCampaign, EachFileOfTheSetUpMayBeTheLast) {
  train_small_run("alone", flags());
  const std::string expected = essence_of("alone");
  for (const char* name : {"run",
                           "run/config.toml.tmp",
                           "run/config.toml",
                           "run/.lock",
                           "run/tokenizer.tmp",
                           "run/tokenizer.tmp/vocab.json",
                           "run/tokenizer",
                           "run/data",
                           "run/data/training_000000.bin",
                           "run/data/corpus.json",
                           "run/checkpoints",
                           "run/run.json",
                           "run/report.html",
                           "run/metrics.jsonl",
                           "run/checkpoints/step_000002.tmp",
                           "run/checkpoints/step_000002.tmp/model.safetensors",
                           "run/checkpoints/step_000002.tmp/state.json",
                           "run/checkpoints/step_000002.tmp/checksums.json",
                           "run/checkpoints/step_000002",
                           "run/checkpoints/step_000030"}) {
    fs::remove_all(path("run"));
    kill_when_there_is(name);
    SCOPED_TRACE(name);
    expect_sound_end(expected);
  }
}

TEST_F(KillCampaign, TwentyRunsAtRandomInstants) {
  const auto start = Clock::now();
  train_small_run("alone", flags());
  const double duration = std::chrono::duration<double>(Clock::now() - start).count();
  const std::string expected = essence_of("alone");
  RandomInputs random;
  for (int run = 0; run < 20; ++run) {
    SCOPED_TRACE(testing::Message() << "run " << run);
    fs::remove_all(path("run"));
    for (int sitting = 0; sitting < 4; ++sitting) {
      kill_after(duration * (0.5 + 0.5 * random.numbers(1).front()));
    }
    expect_sound_end(expected);
  }
}

}  // namespace
}  // namespace andrea
