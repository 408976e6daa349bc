#include "tests/mutants/score.h"

#include <gtest/gtest.h>

namespace andrea::mutants {
namespace {

const std::vector<std::string> kExercises = {"01.1"};

Verdict killed_by(const std::string& mistake) { return {Verdict::killed, mistake, ""}; }
const Verdict kSurvived = {Verdict::survived, "", ""};
const Verdict kNotCompiled = {Verdict::not_compiled, "", ""};

Result written(const std::string& name, Expected expected, std::vector<Verdict> verdicts) {
  return {"01.1", name, expected, std::move(verdicts)};
}
Result mechanical(const std::string& name, std::vector<Verdict> verdicts) {
  return {"01.1", name, std::nullopt, std::move(verdicts)};
}

// Enough written mutants, all as they should be.
std::vector<Result> good() {
  std::vector<Result> results;
  for (const char* name : {"a", "b", "c", "d"}) {
    results.push_back(written(name, Expected::sentence, {killed_by(name), killed_by(name)}));
  }
  results.push_back(written("e", Expected::report, {killed_by("report"), killed_by("report")}));
  results.push_back(mechanical("m", {kSurvived, killed_by("")}));
  results.push_back(mechanical("n", {kNotCompiled}));
  return results;
}

std::vector<std::string> faults_with(const Result& further,
                                     const std::vector<Equivalent>& equivalents = {}) {
  std::vector<Result> results = good();
  results.push_back(further);
  std::vector<std::string> faults = faults_of(kExercises, results, equivalents);
  for (std::string& fault : faults) fault = fault.substr(0, fault.find('\n'));
  return faults;
}

using Faults = std::vector<std::string>;

TEST(Faults, NoneWhereAllIsWell) {
  EXPECT_EQ(faults_of(kExercises, good(), {}), Faults{});
  EXPECT_EQ(faults_with(written("f", Expected::any, {killed_by("")})), Faults{});
  EXPECT_EQ(faults_with(mechanical("o", {kSurvived}), {{"01.1", "o", "why"}}), Faults{});
}

TEST(Faults, WrittenMutants) {
  EXPECT_EQ(faults_with(written("f", Expected::any, {killed_by("f"), kSurvived})),
            Faults{"01.1 f: it survives."});
  EXPECT_EQ(faults_with(written("f", Expected::any, {kNotCompiled})),
            Faults{"01.1 f: it does not compile."});
  EXPECT_EQ(faults_with(written("f", Expected::sentence, {killed_by("f"), killed_by("")})),
            Faults{"01.1 f: no sentence fits."});
  EXPECT_EQ(faults_with(written("f", Expected::sentence, {killed_by("a")})),
            Faults{"01.1 f: the test says 'a'."});
  EXPECT_EQ(faults_with(written("f", Expected::sentence, {killed_by("report")})),
            Faults{"01.1 f: the simulator reports a fault."});
  EXPECT_EQ(faults_with(written("f", Expected::report, {killed_by("a")})),
            Faults{"01.1 f: the test says 'a'."});
  EXPECT_EQ(faults_with(written("f", Expected::any, {killed_by("a")})),
            Faults{"01.1 f: the test says 'a'."});
}

TEST(Faults, MechanicalMutants) {
  EXPECT_EQ(faults_with(mechanical("o", {kSurvived, kSurvived})), Faults{"01.1 o: it survives."});
  EXPECT_EQ(faults_with(mechanical("o", {killed_by("")}), {{"01.1", "o", "why"}}),
            Faults{"01.1 o: it is killed, and so not equivalent."});
  EXPECT_EQ(faults_with(mechanical("o", {killed_by("")}), {{"01.1", "p", "why"}}),
            Faults{"01.1 p: it is listed, and there is none such."});
  EXPECT_EQ(faults_with(mechanical("o", {killed_by("")}), {{"01.2", "p", "why"}}), Faults{});
}

TEST(Faults, EnoughMutantsAndNames) {
  std::vector<Result> results = good();
  results.erase(results.begin());
  EXPECT_EQ(faults_of(kExercises, results, {}),
            Faults{"01.1: it has 4 written mutants; at least 5 are asked for."});
  results = good();
  for (const char* name : {"f", "g", "h"}) {
    results.push_back(written(name, Expected::any, {killed_by("")}));
  }
  EXPECT_EQ(faults_of(kExercises, results, {}),
            Faults{"01.1: less than two thirds of the written mutants are named."});
}

TEST(Score, Numbers) {
  std::vector<Result> results = good();
  results.push_back(written("f", Expected::any, {killed_by(""), kSurvived}));
  results.push_back(mechanical("o", {kSurvived}));
  const std::vector<Score> scores = scores_of(kExercises, results, {{"01.1", "o", "why"}});
  EXPECT_EQ(
      markdown_of(scores),
      "| exercise | written killed | named | mechanical killed | not compiling | equivalent |\n"
      "|---|---|---|---|---|---|\n"
      "| 01.1 | 5 of 6 | 5 of 6 | 2 of 3 | 1 | 1 |\n");
}

TEST(Score, Confusion) {
  std::vector<Result> results = good();
  results.erase(results.begin() + 2, results.begin() + 4);
  results.push_back(written("b", Expected::sentence, {killed_by("a"), kSurvived}));
  EXPECT_EQ(confusion_of(kExercises, results),
            "01.1              a   b   report  other  survived\n"
            "  a a             2   .   .       .      .\n"
            "  b b             1   2   .       .      1\n"
            "    report        .   .   2       .      .\n"
            "    (mechanical)  .   .   .       1      .\n");
}

}  // namespace
}  // namespace andrea::mutants
