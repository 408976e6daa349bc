#include "tools/course/grader/marks/judgement.h"

#include <nlohmann/json.hpp>

#include "tests/harness/exercise/frame.h"
#include "tools/course/grader/reports/safe_text.h"
#include "trainer/base/error.h"

namespace andrea::grader {
namespace {

Mark mark_in(const nlohmann::json& test) {
  Mark mark;
  if (test.value("status", "") != "RUN" || test.value("result", "") != "COMPLETED") {
    mark.told = "The judge did not come to it.";
    return mark;
  }
  mark.outcome = Outcome::passed;
  if (!test.contains("failures")) return mark;
  mark.outcome = Outcome::failed;
  mark.mistake = test.value("mistake", "");
  for (const nlohmann::json& failure : test["failures"]) {
    mark.told += without_frame(failure.at("failure").get<std::string>());
  }
  return mark;
}

}  // namespace

std::map<std::string, Mark> read_judgement(const std::string& json) {
  std::map<std::string, Mark> marks;
  try {
    // What a program prints may be in any encoding, and stands in it as it was printed.
    const nlohmann::json report = nlohmann::json::parse(utf8(json));
    for (const nlohmann::json& suite : report.at("testsuites")) {
      for (const nlohmann::json& test : suite.at("testsuite")) {
        if (!test.contains("exercise")) continue;
        const Mark mark = mark_in(test);
        const auto [known, is_first] = marks.emplace(test["exercise"].get<std::string>(), mark);
        if (!is_first && known->second.outcome == Outcome::passed) known->second = mark;
      }
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(std::string("a judge's report cannot be read: ") + error.what());
  }
  return marks;
}

}  // namespace andrea::grader
