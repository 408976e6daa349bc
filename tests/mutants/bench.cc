#include "tests/mutants/bench.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "simulator/tool/process.h"
#include "tests/harness/exercise/frame.h"
#include "trainer/base/file.h"

namespace andrea::mutants {
namespace {

namespace fs = std::filesystem;

// Lesson02.Exercise1; Exam02.Exercise1 of "x02.1"
std::string test_of(const std::string& exercise) {
  const std::size_t dot = exercise.find('.');
  const std::string number = exercise.substr(0, dot);
  const std::string suite = number[0] == 'x' ? "Exam" + number.substr(1) : "Lesson" + number;
  return suite + ".Exercise" + exercise.substr(dot + 1);
}

int run_process(const std::vector<std::string>& words, const simulator::Variables& variables,
                const fs::path& output) {
  simulator::Process process(words, variables, output.string());
  if (process.start_error() != 0) {
    throw std::runtime_error(words[0] + " cannot be run: " + std::strerror(process.start_error()));
  }
  return process.wait();
}

// GoogleTest's own report of a run with one test.
Verdict verdict_of(const nlohmann::json& report) {
  const nlohmann::json& test = report.at("testsuites").at(0).at("testsuite").at(0);
  Verdict verdict;
  if (!test.contains("failures")) return verdict;
  verdict.kind = Verdict::killed;
  verdict.mistake = test.value("mistake", "");
  for (const nlohmann::json& failure : test["failures"]) {
    verdict.told += without_frame(failure.at("failure"));
  }
  return verdict;
}

}  // namespace

Bench::Bench(std::string tool, const fs::path& link_line, fs::path folder)
    : tool_(std::move(tool)), folder_(std::move(folder)) {
  // A word with '/' is the tool, one without would be sought on the PATH.
  if (tool_.find('/') == std::string::npos) tool_ = "./" + tool_;
  std::istringstream lines(read_file(link_line));
  for (std::string line; std::getline(lines, line);) link_flags_.push_back(line);
}

std::string Bench::build(const std::string& name, const std::string& source,
                         std::string& said) const {
  const fs::path file = folder_ / (name + ".cu"), program = folder_ / name;
  const fs::path output = folder_ / (name + ".compiler.txt");
  write_file(file, source);
  std::vector<std::string> words = {tool_,         "--check", "-o", program.string(),
                                    file.string(), "-I",      "."};
  words.insert(words.end(), link_flags_.begin(), link_flags_.end());
  // What the tool remembers of builds is of no use here.
  const std::string memory = (folder_ / "cache").string();
  const int status = run_process(words, {{"XDG_CACHE_HOME", memory}}, output);
  said = read_file(output);
  fs::remove(file);
  fs::remove(output);
  return status == 0 ? program.string() : "";
}

Verdict Bench::run(const std::string& program, const std::string& exercise, std::uint64_t seed,
                   int seconds) const {
  const fs::path report = program + ".json", output = program + ".output.txt";
  fs::remove(report);
  run_process(
      {program, "--gtest_filter=" + test_of(exercise), "--gtest_output=json:" + report.string()},
      {{"ANDREA_TEST_SEED", std::to_string(seed)},
       {"ANDREA_EXERCISE_SECONDS", std::to_string(seconds)}},
      output);
  const std::string said = read_file(output);
  fs::remove(output);
  // The tests of exercises run the kernels in processes of their own; should one bring down all,
  // there is no report.
  if (!fs::exists(report)) return {Verdict::killed, "crash", said};
  const auto parsed = nlohmann::json::parse(read_file(report));
  fs::remove(report);
  if (parsed.at("tests") != 1) throw std::runtime_error("there is no test " + test_of(exercise));
  return verdict_of(parsed);
}

}  // namespace andrea::mutants
