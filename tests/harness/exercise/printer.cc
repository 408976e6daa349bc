#include "tests/harness/exercise/printer.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "tests/harness/exercise/frame.h"
#include "tests/harness/exercise/the_course.h"

namespace andrea {
namespace {

class Printer : public ::testing::EmptyTestEventListener {
  void OnTestStart(const ::testing::TestInfo&) override { text_.clear(); }

  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (result.failed()) text_ += result.message();
  }

  void OnTestEnd(const ::testing::TestInfo& test) override {
    const bool passed = test.result()->Passed();
    std::printf("%s  %s\n", passed ? "  ok  " : "NOT YET", title(test).c_str());
    const std::string remark = property(test, "remark");
    if (!remark.empty()) std::printf("          %s\n", remark.c_str());
    if (passed) return;
    if (!told_) std::printf("\n%s\n", without_frame(text_).c_str());
    told_ = true;
  }

  void OnTestProgramEnd(const ::testing::UnitTest& tests) override {
    std::printf("%d of %d are done.\n", tests.successful_test_count(), tests.test_to_run_count());
    std::fflush(stdout);
  }

  // "02.1 Dot, norm and cosine"; the test's own title or name where it is no exercise. Throws
  // nothing: what a listener throws ends all tests without a word.
  static std::string title(const ::testing::TestInfo& test) {
    const std::string id = property(test, "exercise"), title = property(test, "title");
    if (!title.empty()) return title;
    return id.empty() ? test.name() : id + " " + the_exercise(id).title;
  }

  static std::string property(const ::testing::TestInfo& test, const std::string& key) {
    for (int i = 0; i < test.result()->test_property_count(); ++i) {
      const ::testing::TestProperty& one = test.result()->GetTestProperty(i);
      if (one.key() == key) return one.value();
    }
    return "";
  }

  std::string text_;
  bool told_ = false;
};

}  // namespace

void print_as_exercises() {
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new Printer);
}

}  // namespace andrea
