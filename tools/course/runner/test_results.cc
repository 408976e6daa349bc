#include "tools/course/runner/test_results.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/harness/exercise/frame.h"
#include "tools/course/runner/page.h"
#include "trainer/base/error.h"

namespace andrea::course {
namespace {

using nlohmann::json;

TestResult result_from(const std::string& suite, const json& test) {
  TestResult result;
  result.test = suite + "." + test.at("name").get<std::string>();
  result.exercise = test.value("exercise", "");
  result.title = test.value("title", "");
  result.mistake = test.value("mistake", "");
  result.remark = test.value("remark", "");
  result.seed = test.value("seed", "");
  // A test that was left out has proved nothing.
  result.passed = !test.contains("failures") && test.value("result", "") == "COMPLETED";
  if (test.contains("failures")) {
    for (const json& failure : test["failures"]) {
      result.told += without_frame(failure.at("failure"));
    }
  }
  return result;
}

}  // namespace

std::vector<TestResult> results_from(const std::string& text) {
  std::vector<TestResult> results;
  try {
    const json report = json::parse(printable(text));
    for (const json& suite : report.at("testsuites")) {
      for (const json& test : suite.at("testsuite")) {
        results.push_back(result_from(suite.at("name"), test));
      }
    }
  } catch (const json::exception& error) {
    throw Error(std::string("the report of the tests cannot be read: ") + error.what());
  }
  return results;
}

std::string json_from(const std::vector<TestResult>& results) {
  json suites = json::array();
  for (const TestResult& result : results) {
    const std::size_t dot = result.test.find('.');
    json test = {{"name", result.test.substr(dot + 1)}, {"result", "COMPLETED"}};
    const auto keep = [&](const char* name, const std::string& value) {
      if (!value.empty()) test[name] = value;
    };
    keep("exercise", result.exercise);
    keep("title", result.title);
    keep("mistake", result.mistake);
    keep("remark", result.remark);
    keep("seed", result.seed);
    if (!result.passed) test["failures"] = json::array({{{"failure", result.told}}});
    suites.push_back({{"name", result.test.substr(0, dot)}, {"testsuite", json::array({test})}});
  }
  return json({{"testsuites", suites}}).dump(1, ' ', false, json::error_handler_t::replace);
}

std::vector<TestResult> merged(std::vector<TestResult> before, const std::vector<TestResult>& now) {
  for (const TestResult& result : now) {
    const auto same = std::find_if(before.begin(), before.end(), [&](const TestResult& other) {
      return other.test == result.test;
    });
    if (same == before.end()) {
      before.push_back(result);
    } else {
      *same = result;
    }
  }
  return before;
}

}  // namespace andrea::course
