// What a learner is told, for outputs that a test writes itself in place of a student's kernel.

#include "tests/harness/exercise/exercise.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "kernels/cuda_check.h"
#include "lessons/worksheet.h"
#include "tests/harness/exercise/child_process.h"
#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/outcome.h"
#include "tests/harness/exercise/question.h"

namespace andrea {
namespace {

using Work = std::function<std::vector<float>(const std::vector<float>& x)>;

// An exercise whose function doubles x, done by `work` on the host.
std::string verdict_on(const Work& work) {
  const auto verdict = exercise("00.1", {"n"}, {{1}, {2}, {5}, {40}}, [&](Trial& trial) {
    const auto [n] = trial.sizes<1>();
    const std::vector<float> x = trial.random().numbers(n);
    trial.input("x", {{"i", n}}, x);
    float* y = trial.output("y", {{"i", n}});
    trial.run([&](const Launch&) {
      const std::vector<float> done = work(x);
      if (done.empty()) return;
      CUDA_CHECK(cudaMemcpy(y, done.data(), done.size() * sizeof(float), cudaMemcpyHostToDevice));
    });
    const auto times = [&](double factor) {
      std::vector<double> result(x.begin(), x.end());
      for (double& number : result) number *= factor;
      return result;
    };
    trial.expect("y", [&]<typename Scalar>(Scalar) {
      std::vector<Scalar> result;
      for (const float number : x) result.push_back(2 * static_cast<Scalar>(number));
      return result;
    });
    trial.looks_like("no_offset", "y", [&] { return times(3); });
  });
  return verdict.message();
}

std::vector<float> scaled(const std::vector<float>& x, float factor) {
  std::vector<float> y;
  for (const float number : x) y.push_back(factor * number);
  return y;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ExerciseTest, RightNumbersPass) {
  EXPECT_EQ(verdict_on([](const auto& x) { return scaled(x, 2); }), "");
}

TEST(ExerciseTest, NothingWrittenIsNotBegun) {
  const std::string told = verdict_on([](const auto&) { return std::vector<float>(); });
  EXPECT_TRUE(contains(told, "Nothing has been written to y")) << told;
  EXPECT_TRUE(contains(told, "lessons/00_first_kernel/kernel.cu at TODO(00.1)")) << told;
}

// As of a sum that begins with the second term, where the smallest case has one term.
TEST(ExerciseTest, ZerosInTheSmallestCaseAloneAreWrongNumbers) {
  const std::string told = verdict_on([](const auto& x) {
    std::vector<float> y = scaled(x, 2);
    y.front() = 0;
    return y;
  });
  EXPECT_TRUE(contains(told, "the one number that it has is wrong")) << told;
  EXPECT_FALSE(contains(told, "TODO")) << told;
}

TEST(ExerciseTest, ZerosEverywhereAreNotBegun) {
  const std::string told = verdict_on([](const auto& x) { return scaled(x, 0); });
  EXPECT_TRUE(contains(told, "Every number of y is 0")) << told;
}

TEST(ExerciseTest, AKnownMistakeIsNamed) {
  const std::string told = verdict_on([](const auto& x) { return scaled(x, 3); });
  EXPECT_TRUE(contains(told, message("00.1.no_offset"))) << told;
}

TEST(ExerciseTest, AMistakeThatFitsTheFirstSizeOnlyIsNotNamed) {
  const std::string told =
      verdict_on([](const auto& x) { return scaled(x, x.size() == 1 ? 3.0f : 1.0f); });
  EXPECT_FALSE(contains(told, message("00.1.no_offset"))) << told;
  EXPECT_TRUE(contains(told, "0.5 times")) << told;
}

// As of two slips, one of which shows in some cases alone.
TEST(ExerciseTest, AMistakeThatExplainsSeveralCasesIsNamedAsSuch) {
  const std::string told =
      verdict_on([](const auto& x) { return scaled(x, x.size() < 5 ? 3.0f : 1.0f); });
  EXPECT_TRUE(contains(told, message("00.1.no_offset"))) << told;
  EXPECT_TRUE(contains(told, "not all that is wrong")) << told;
}

TEST(ExerciseTest, WhatIsPrintedIsThatOfTheCaseThatIsShown) {
  const std::string told = verdict_on([](const auto& x) {
    std::printf("%zu numbers\n", x.size());
    std::vector<float> y = scaled(x, 2);
    if (y.size() > 2) y.back() = 100;
    return y;
  });
  EXPECT_TRUE(contains(told, "Your code printed, with n=3:\n3 numbers\n")) << told;
  EXPECT_FALSE(contains(told, "40 numbers")) << told;
}

TEST(ExerciseTest, TheSmallestFailingSizeIsShown) {
  const std::string told = verdict_on([](const auto& x) {
    std::vector<float> y = scaled(x, 2);
    if (y.size() > 2) y.back() = 100;
    return y;
  });
  EXPECT_TRUE(contains(told, "y [3]")) << told;
}

// The pattern is about the numbers that are shown; one of a larger case is named so.
TEST(ExerciseTest, BothPatternsAreTold) {
  const std::string told = verdict_on([](const auto& x) {
    std::vector<float> y = scaled(x, 2);
    for (std::size_t i = 1; i < y.size(); ++i) y[i] = -y[i];
    return y;
  });
  EXPECT_TRUE(contains(told, "The pattern: all that is wrong has i = 1 (of 0 .. 1)")) << told;
  EXPECT_TRUE(contains(told, "The pattern in a larger case, y [40]: all that is wrong has i >= 1"))
      << told;
}

// Where the numbers have nothing in common, what they are made of is shown.
TEST(ExerciseTest, WithoutAPatternTheInputsAreTold) {
  const std::string told = verdict_on([](const auto& x) {
    std::vector<float> y = scaled(x, 2);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += i % 3 == 0 ? 1.0f + y[i] * y[i] : 0;
    return y;
  });
  EXPECT_TRUE(contains(told, "none that is known")) << told;
  EXPECT_TRUE(contains(told, "Work y[i=0] out by hand")) << told;
  EXPECT_TRUE(contains(told, "\n  x: ")) << told;
}

// A flat buffer of a matrix and a vector, and another output; `spoil` makes them wrong.
std::string verdict_on_parts(
    const std::function<void(std::vector<float>& flat, std::vector<float>& sums)>& spoil) {
  const auto verdict = exercise("00.1", {"n"}, {{1}}, [&](Trial& trial) {
    const std::vector<float> x = trial.random().numbers(10), x_sums = trial.random().numbers(2);
    float* flat = trial.output("flat", {{"place", 10}});
    trial.consists_of("flat", {{"gain", {{"c", 2}}, 7}, {"table", {{"row", 2}, {"column", 3}}, 0}});
    float* sums = trial.output("sums", {{"i", 2}});
    trial.run([&](const Launch&) {
      std::vector<float> held = x, held_sums = x_sums;
      spoil(held, held_sums);
      CUDA_CHECK(cudaMemcpy(flat, held.data(), 40, cudaMemcpyHostToDevice));
      CUDA_CHECK(cudaMemcpy(sums, held_sums.data(), 8, cudaMemcpyHostToDevice));
    });
    const auto is = [&](const std::string& name, const std::vector<float>& right) {
      trial.expect(name, [&]<typename Scalar>(Scalar) {
        return std::vector<Scalar>(right.begin(), right.end());
      });
    };
    is("flat", x);
    is("sums", x_sums);
  });
  return verdict.message();
}

TEST(ExerciseTest, APartOfAFlatBufferIsNamed) {
  EXPECT_EQ(verdict_on_parts([](auto&, auto&) {}), "");
  const std::string table =
      verdict_on_parts([](auto& flat, auto& sums) { flat[4] += 1, sums[0] += 1; });
  EXPECT_TRUE(contains(table, "flat.table [2 x 3]: wrong numbers: 1 of 6.")) << table;
  EXPECT_TRUE(contains(table, "flat.table[row=1, column=1]")) << table;
  EXPECT_TRUE(contains(table, "Wrong besides: sums.\nRight: flat.gain.")) << table;
  // In the order in which the parts are told.
  const std::string both = verdict_on_parts([](auto& flat, auto&) { flat[0] += 1, flat[8] += 1; });
  EXPECT_TRUE(contains(both, "flat.gain [2]: wrong numbers: 1 of 2.")) << both;
  EXPECT_TRUE(contains(both, "Wrong besides: flat.table.\nRight: sums.")) << both;
  const std::string gap = verdict_on_parts([](auto& flat, auto&) { flat[6] += 1; });
  EXPECT_TRUE(contains(gap, "flat[place=6]")) << gap;
}

TEST(ExerciseTest, ACrashIsTold) {
  const std::string told = verdict_on([](const auto& x) {
    std::raise(SIGABRT);
    return x;
  });
  EXPECT_TRUE(contains(told, "Aborted")) << told;
}

// The reason, and not only that the program's check of the call ended it.
TEST(ExerciseTest, ARefusedCallIsTold) {
  const std::string told = verdict_on([](const auto& x) {
    cublasHandle_t handle = nullptr;
    const float one = 1;
    (void)cublasCreate(&handle);
    const cublasStatus_t status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 1, 1, &one,
                                              nullptr, 1, nullptr, 1, &one, nullptr, 1);
    if (status != CUBLAS_STATUS_SUCCESS) std::abort();
    return x;
  });
  EXPECT_TRUE(contains(told, "m, is -1")) << told;
  EXPECT_FALSE(contains(told, "Aborted")) << told;
}

TEST(ExerciseTest, AnErrorOfCudaIsTold) {
  const std::string told = verdict_on([](const auto& x) {
    (void)cudaSetDevice(99);
    return scaled(x, 2);
  });
  EXPECT_TRUE(contains(told, "cudaErrorInvalidDevice")) << told;
}

TEST(ExerciseTest, WhatTheCodePrintsIsShownOnFailure) {
  const std::string told = verdict_on([](const auto& x) {
    std::printf("here I am\n");
    return scaled(x, 4);
  });
  EXPECT_TRUE(contains(told, "here I am")) << told;
}

TEST(ExerciseTest, TheSimulatorStopsAKernelBeforeTheProcessIsStopped) {
  const auto timeout = [] { return std::string(std::getenv("SIMULATOR_TIMEOUT")); };
  EXPECT_EQ(in_child_process(timeout, 20).answer, "4");
  EXPECT_EQ(in_child_process(timeout, 2).answer, "1");
}

TEST(QuestionTest, WhatHasNoAnswerIsNamed) {
  Question one("00.w1");
  one.number("n=3", worksheet::kUnanswered, 5);
  EXPECT_TRUE(contains(one.told(), "no answer yet for n=3")) << one.told();
  Question several("00.w1");
  several.of("first");
  several.number("n=3", 5, 5);
  several.of("second");
  several.number("n=3", worksheet::kUnanswered, 5);
  EXPECT_TRUE(contains(several.told(), "second has no answer yet")) << several.told();
}

// A gradient of 4 numbers, on the host: `work` turns what it holds, and what it should have added
// to or written over it, into what it holds then.
std::string gradient_verdict(Accumulate accumulate,
                             const std::function<float(float before, float number)>& work) {
  const auto verdict = whole("00.1", "kernels/none.h", {"n"}, {{1}}, [&](Trial& trial) {
    const std::vector<float> x = trial.random().numbers(4);
    trial.input("x", {{"i", 4}}, x);
    float* dx = trial.gradient("dx", {{"i", 4}}, accumulate);
    trial.run([&](const Launch&) {
      std::vector<float> held(4);
      CUDA_CHECK(cudaMemcpy(held.data(), dx, 16, cudaMemcpyDeviceToHost));
      for (std::size_t i = 0; i < 4; ++i) held[i] = work(held[i], x[i]);
      CUDA_CHECK(cudaMemcpy(dx, held.data(), 16, cudaMemcpyHostToDevice));
    });
    trial.expect("dx",
                 [&]<typename Scalar>(Scalar) { return std::vector<Scalar>(x.begin(), x.end()); });
  });
  return verdict.message();
}

TEST(ExerciseTest, WhatAnOverwrittenGradientHeldMustNotCount) {
  const auto stored = [](float, float number) { return number; };
  const auto added = [](float before, float number) { return before + number; };
  EXPECT_EQ(gradient_verdict(Accumulate::overwrite, stored), "");
  EXPECT_EQ(gradient_verdict(Accumulate::add, added), "");
  const std::string told = gradient_verdict(Accumulate::overwrite, added);
  EXPECT_TRUE(contains(told, "computed from what was there before")) << told;
  EXPECT_TRUE(contains(told, "hold what was there before as well")) << told;
  EXPECT_FALSE(contains(told, "in a larger case")) << told;
  EXPECT_TRUE(contains(told, "puts the steps together")) << told;
  const std::string times_zero = gradient_verdict(
      Accumulate::overwrite, [](float before, float number) { return 0 * before + number; });
  EXPECT_TRUE(contains(times_zero, "hold what was there before as well")) << times_zero;
  const std::string assigned = gradient_verdict(Accumulate::add, stored);
  EXPECT_TRUE(contains(assigned, "what the output held before is gone")) << assigned;
  const std::string nothing =
      gradient_verdict(Accumulate::overwrite, [](float before, float) { return before; });
  EXPECT_TRUE(contains(nothing, "Nothing has been written to dx")) << nothing;
}

// The second of two inputs is written to; `known`, the one whose change is a mistake with a name.
std::string change_verdict(const std::string& known) {
  const auto verdict = exercise("00.1", {"n"}, {{1}}, [&](Trial& trial) {
    trial.input("x", {{"i", 4}}, trial.random().numbers(4));
    const float* saved = trial.input("saved", {{"i", 4}}, trial.random().numbers(4));
    trial.output("y", {{"i", 4}});
    trial.run([&](const Launch&) {
      const float spoilt = 100;
      CUDA_CHECK(cudaMemcpy(const_cast<float*>(saved) + 1, &spoilt, 4, cudaMemcpyHostToDevice));
    });
    trial.change_looks_like("no_offset", known);
  });
  return verdict.message();
}

TEST(ExerciseTest, AChangedInputIsToldWithItsMistake) {
  const std::string told = change_verdict("saved");
  EXPECT_TRUE(contains(told, "saved [4]: an input was changed, from byte 4 of its 16")) << told;
  EXPECT_TRUE(contains(told, message("00.1.no_offset"))) << told;
  const std::string another = change_verdict("x");
  EXPECT_TRUE(contains(another, "saved [4]: an input was changed")) << another;
  EXPECT_FALSE(contains(another, message("00.1.no_offset"))) << another;
}

TEST(ExerciseTest, ANoteOfTheSimulatorIsShownWithWrongNumbers) {
  const auto noting = [](float factor) {
    return verdict_on([=](const auto& x) {
      std::fprintf(stderr, "note: a lane asks\n  in kernel k\n\n");
      return scaled(x, factor);
    });
  };
  EXPECT_TRUE(contains(noting(4), "remarks besides:\n\nnote: a lane asks\n  in kernel k"))
      << noting(4);
  const std::size_t pattern = noting(4).find("The pattern in a larger case");
  EXPECT_NE(pattern, std::string::npos) << noting(4);
  EXPECT_LT(noting(4).find("a lane asks"), pattern) << noting(4);
  EXPECT_TRUE(contains(noting(3), "a lane asks")) << noting(3);
  EXPECT_LT(noting(3).find("It looks as if"), noting(3).find("a lane asks")) << noting(3);
  EXPECT_EQ(noting(2), "");
}

TEST(ExerciseTest, ANoteStandsWhereNothingIsSeenInTheNumbers) {
  const auto told = [](bool noted) {
    return verdict_on([=](const auto& x) {
      if (noted) std::fprintf(stderr, "note: a lane asks\n  in kernel k\n\n");
      std::vector<float> y = scaled(x, 2);
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += i % 3 == 0 ? 1.0f + y[i] * y[i] : 0;
      return y;
    });
  };
  EXPECT_TRUE(contains(told(false), "\nThe pattern: none that is known")) << told(false);
  EXPECT_FALSE(contains(told(true), "none that is known")) << told(true);
  const std::size_t by_hand = told(true).find("\nWork y[i=0] out by hand");
  EXPECT_NE(by_hand, std::string::npos) << told(true);
  EXPECT_LT(told(true).find("a lane asks"), by_hand) << told(true);
}

// As on a card, which does not count what an exercise wants counted.
TEST(ExerciseTest, WhatWasLeftOutIsRemarked) {
  const Outcome outcome = outcome_of([] { return kWell + std::string("not counted"); });
  EXPECT_TRUE(outcome.well);
  EXPECT_EQ(outcome.remark, "not counted");
  EXPECT_EQ(outcome_of([] { return std::string(); }).remark, "");
  EXPECT_FALSE(outcome_of([] { return std::string("wells\nwrong"); }).well);
}

TEST(ExerciseTest, AnEndInTheMiddleIsNoPass) {
  const std::string told = verdict_on([](const auto& x) {
    std::_Exit(0);
    return x;
  });
  EXPECT_TRUE(contains(told, "ended in the middle")) << told;
}

}  // namespace
}  // namespace andrea
