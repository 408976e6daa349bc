// 06.1, 06.2: a sum, also over either of its terms.

#include <string>
#include <vector>

#include "lessons/06_residual_block/kernel.h"
#include "lessons/06_residual_block/mistakes.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes06::never_written;
using reference::Vector;

const std::vector<std::vector<int>> kCounts = {{1},   {2},   {3},   {31},  {33},   {97},  {127},
                                               {129}, {255}, {257}, {511}, {1025}, {5000}};

// Calls the sum of two tensors three times, and compares; the mistakes are told by `wrong`, a sum
// of the two and of what the output held before, each times a share.
class SumOfTwo {
 public:
  SumOfTwo(Trial& trial, const std::string& a, const std::string& b, const std::string& sum)
      : trial_(trial), names_{sum, sum + " over " + a, sum + " over " + b} {
    const int count = trial.sizes<1>()[0];
    const Axes axes = {{"i", count}};
    a_ = trial.random().numbers(count), b_ = trial.random().numbers(count);
    a_device_ = trial.input(a, axes, a_), b_device_ = trial.input(b, axes, b_);
    out_ = trial.output(names_[0], axes);
    over_a_ = trial.prefilled(names_[1], axes, a_);
    over_b_ = trial.prefilled(names_[2], axes, b_);
  }

  template <typename Operation>
  void run(const Operation& operation) {
    const std::int64_t count = trial_.sizes<1>()[0];
    trial_.run([&](const Launch& launch) {
      operation(a_device_, b_device_, out_, count, launch);
      operation(over_a_, b_device_, over_a_, count, launch);
      operation(a_device_, over_b_, over_b_, count, launch);
    });
    for (const std::string& name : names_) {
      trial_.expect(name, [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
        return as_vector<Scalar>(a_) + as_vector<Scalar>(b_);
      });
    }
  }

  void looks_like(const std::string& mistake, double share_a, double share_b) {
    for (const std::string& name : names_) {
      trial_.looks_like(mistake, name, [&]() -> Vector<double> {
        return share_a * as_vector<double>(a_) + share_b * as_vector<double>(b_);
      });
    }
  }

  // The mistakes of any sum.
  void tell_usual() {
    looks_like("subtracted", 1, -1);
    looks_like("subtracted", -1, 1);
    looks_like_added(1, 1);
    looks_like_added(1, 0);
    looks_like_added(0, 1);
    looks_like("mean", 0.5, 0.5);
    for (const std::string& name : names_) {
      trial_.looks_like("product", name, [&]() -> Vector<double> {
        return as_vector<double>(a_).cwiseProduct(as_vector<double>(b_));
      });
    }
  }

 private:
  // What the output held is a term, beside these shares of the two.
  void looks_like_added(double share_a, double share_b) {
    const auto sum = [&](double a, double b) -> Vector<double> {
      return a * as_vector<double>(a_) + b * as_vector<double>(b_);
    };
    const std::string mistake = "adds_to_out";
    trial_.looks_like(mistake, names_[0], [&] { return never_written(sum(1, 1)); });
    trial_.looks_like(mistake, names_[1], [&] { return sum(share_a + 1, share_b); });
    trial_.looks_like(mistake, names_[2], [&] { return sum(share_a, share_b + 1); });
  }

  Trial& trial_;
  std::vector<std::string> names_;
  std::vector<float> a_, b_;
  const float *a_device_, *b_device_;
  float *out_, *over_a_, *over_b_;
};

TEST(Lesson06, Exercise1) {
  EXPECT_TRUE(exercise("06.1", {"count"}, kCounts, [](Trial& trial) {
    SumOfTwo sum(trial, "stream", "correction", "out");
    sum.run(residual_forward);
    sum.looks_like("stream_lost", 0, 1);
    sum.looks_like("correction_lost", 1, 0);
    sum.looks_like("stream_twice", 2, 0);
    sum.looks_like("correction_twice", 0, 2);
    sum.tell_usual();
  }));
}

TEST(Lesson06, Exercise2) {
  EXPECT_TRUE(exercise("06.2", {"count"}, kCounts, [](Trial& trial) {
    SumOfTwo sum(trial, "dout", "dbranch", "dstream");
    sum.run(residual_backward);
    sum.looks_like("residual_path_lost", 0, 1);
    sum.looks_like("branch_lost", 1, 0);
    sum.looks_like("residual_path_twice", 2, 0);
    sum.looks_like("branch_twice", 0, 2);
    sum.tell_usual();
  }));
}

}  // namespace
}  // namespace andrea
