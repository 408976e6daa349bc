#include "tools/course/runner/part_run.h"

#include <unistd.h>

#include "trainer/base/file.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

// An exercise has 20 seconds by itself (tests/harness/exercise/outcome.h), and a lesson has up to
// a dozen.
constexpr double kMostSeconds = 600;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string contents_of(const fs::path& path) { return fs::exists(path) ? read_file(path) : ""; }

}  // namespace

RunRequest request_for(const Course& course, const LessonPart& part, const std::string& exercise) {
  RunRequest request;
  request.target = target_of(*part.lesson, part.part);
  if (!exercise.empty()) request.filter = test_of(course.exercise(exercise));
  return request;
}

PartRun::PartRun(Bazel bazel, fs::path folder, RunRequest request)
    : bazel_(std::move(bazel)), request_(std::move(request)) {
  fs::create_directories(folder);
  // Two runners at once must not read each other's files.
  const std::string name = std::to_string(getpid());
  events_ = folder / (name + ".events.json");
  report_ = folder / (name + ".report.json");
  child_ = std::make_unique<Child>(build_command(bazel_, request_.target, events_));
}

PartRun::~PartRun() {
  child_.reset();
  std::error_code error;
  fs::remove(events_, error);
  fs::remove(report_, error);
}

bool PartRun::advance() {
  if (child_->read()) {
    if (testing_ && !outcome_.too_long && seconds() > kMostSeconds) {
      outcome_.too_long = true;
      child_->stop(1);
    }
    return true;
  }
  if (testing_) {
    outcome_.test_seconds = seconds();
    take_report();
    return false;
  }
  outcome_.build_seconds = seconds();
  outcome_.said = child_->printed();
  const std::string program =
      child_->status() == 0 ? built_program(contents_of(events_), request_.target) : "";
  if (program.empty()) {
    outcome_.kind = RunOutcome::not_built;
    outcome_.status = child_->status();
    return false;
  }
  start_tests(program);
  return true;
}

void PartRun::start_tests(const std::string& program) {
  std::error_code error;
  fs::remove(report_, error);
  Command command;
  command.words = {program, "--gtest_output=json:" + report_.string()};
  if (!request_.filter.empty()) command.words.push_back("--gtest_filter=" + request_.filter);
  command.folder = bazel_.workspace;  // below which the simulator finds the lines that it shows
  command.variables = {{"ANDREA_COURSE_RUNNER", "1"}, {"OMP_WAIT_POLICY", "passive"}};
  if (!request_.seed.empty()) command.variables.emplace_back("ANDREA_TEST_SEED", request_.seed);
  if (!request_.profile.empty()) {
    command.variables.emplace_back("ANDREA_EXERCISE_PROFILE", request_.profile);
  }
  if (!request_.sizes.empty()) {
    command.variables.emplace_back("ANDREA_EXERCISE_SIZES", request_.sizes);
  }
  // What Bazel or a person has set for other tests.
  command.without = {"GTEST_FILTER",      "GTEST_OUTPUT",           "GTEST_TOTAL_SHARDS",
                     "GTEST_SHARD_INDEX", "TESTBRIDGE_TEST_ONLY",   "TEST_TOTAL_SHARDS",
                     "TEST_SHARD_INDEX",  "TEST_SHARD_STATUS_FILE", "TEST_PREMATURE_EXIT_FILE",
                     "XML_OUTPUT_FILE"};
  testing_ = true;
  begun_ = Clock::now();
  child_ = std::make_unique<Child>(command);
}

// The verdict is the report's, never the exit status alone: a program that ends early exits with
// what it likes.
void PartRun::take_report() {
  const std::string report = contents_of(report_);
  if (outcome_.too_long || report.empty()) {
    outcome_.kind = RunOutcome::not_ended;
    outcome_.said = child_->printed();
    outcome_.status = child_->status();
    return;
  }
  outcome_.kind = RunOutcome::tested;
  outcome_.results = results_from(report);
}

std::string PartRun::doing() const {
  if (testing_) return "testing";
  if (waits_for_another(child_->printed())) return "waiting for another build to end";
  const std::string progress = progress_in(child_->printed());
  return progress.empty() ? "compiling" : "compiling (" + progress + ")";
}

std::string PartRun::excuse() const {
  return request_.is_first && !testing_ ? "the first build takes a minute or two" : "";
}

double PartRun::seconds() const { return seconds_since(begun_); }

}  // namespace andrea::course
