// File: question.h
//
// The test of one question of a worksheet:
//
//   TEST(Lesson01, Question1) {
//     EXPECT_TRUE(question("01.w1", [](Question& it) {
//       for (int i = 0; i < 8; ++i) {
//         const int V = it.random(1, 60000), C = it.random(1, 4096);
//         it.number("V=" + std::to_string(V) + ", C=" + std::to_string(C),
//                   worksheet01::table_numbers(V, C), std::int64_t{V} * C,
//                   {{"no_width", V}});                 // slips: "01.w1.no_width" in the catalogue
//       }
//     }));
//   }
//
// The first that is not right is told: unanswered, a slip with its sentence, or wrong (without the
// right number).

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_QUESTION_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_QUESTION_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace andrea {

// Known wrong answers, with the names under which the catalogue has their sentences.
template <typename Number>
using Slips = std::vector<std::pair<std::string, Number>>;

class Question {
 public:
  // `id`: "02.w1", whose sentences the catalogue has.
  explicit Question(std::string id);

  // A number for a formula to be tried with; the seed is new in each run, and printed.
  std::int64_t random(std::int64_t lowest, std::int64_t highest);

  // The function or constant of the worksheet that the answers from here on are of, where a
  // question has several; it is named when it has no answer yet.
  void of(const std::string& name) { name_ = name; }

  // `given` is what the answer is for: "V=100, C=8"; empty where there is nothing to say.
  void number(const std::string& given, std::int64_t answer, std::int64_t right,
              const Slips<std::int64_t>& slips = {});
  // Right within `tolerance`, relative to the right one.
  void real(const std::string& given, double answer, double right, double tolerance,
            const Slips<double>& slips = {});
  // Right within `distance`, however large or small the right one is: for answers by hand, to so
  // many digits behind the point.
  void real_near(const std::string& given, double answer, double right, double distance,
                 const Slips<double>& slips = {});
  // The sizes of a tensor, in their order.
  void shape(const std::string& given, const std::vector<std::int64_t>& answer,
             const std::vector<std::int64_t>& right,
             const Slips<std::vector<std::int64_t>>& slips = {});
  // A reply for every wrong choice, "01.w5.a" and so on, must be in the catalogue.
  void choice(char answer, char right, const std::string& wrong_ones);
  // Made before anything is measured: any answer counts, and what is true is told
  // ("01.w6.measured").
  void prediction(double answer, double measured);

  // There is no answer, since a call came to none (callee.h).
  void call_failed(const std::string& text);

  // Empty where all is right. `mistake`: the slip's name, "unsolved", or empty.
  const std::string& told() const { return told_; }
  const std::string& mistake() const { return mistake_; }
  const std::string& remark() const { return remark_; }

 private:
  bool answered(bool is, const std::string& given = "");
  void wrong(const std::string& given, const std::string& answer);
  bool slip(const std::string& given, const std::string& name, bool is);
  // `near(a, b)`: a is as good as b.
  void compare(const std::string& given, double answer, double right,
               const std::function<bool(double, double)>& near, const Slips<double>& slips);

  std::string id_, name_;
  std::mt19937_64 generator_;
  std::string told_, mistake_, remark_;
};

// Runs the question, and tells the verdict as the worksheet's test prints it.
::testing::AssertionResult question(const std::string& id,
                                    const std::function<void(Question&)>& body);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_QUESTION_H_
