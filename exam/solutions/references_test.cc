// The references of the exams: their gradients against central differences in double, and their
// forward passes against facts that owe nothing to their formulas. And the exams as data.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "exam/x00_running_maximum/reference.h"
#include "exam/x01_segment_mean/reference.h"
#include "exam/x02_scaled_cosine/reference.h"
#include "exam/x03_sliding_window/reference.h"
#include "exam/x04_head_norm/reference.h"
#include "exam/x05_sigmoid_gelu/reference.h"
#include "exam/x06_parallel_block/reference.h"
#include "exam/x07_label_smoothing/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/the_course.h"
#include "tests/harness/finite_difference.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"
#include "tools/course/course.h"
#include "trainer/base/file.h"

namespace andrea::reference {
namespace {

using Table = Matrix<double>;
using Row = Vector<double>;

constexpr double kGradientError = 1e-7;

class ExamReferenceTest : public ::testing::Test {
 protected:
  Table random_table(int rows, int columns) {
    return as_matrix<double>(random_.numbers(std::int64_t{rows} * columns), rows, columns);
  }
  Row random_row(int size) { return as_vector<double>(random_.numbers(size)); }

  RandomInputs random_;
};

// The loss whose gradient with respect to `out` is `dout`.
double dot(const Table& dout, const Table& out) { return dout.cwiseProduct(out).sum(); }

TEST_F(ExamReferenceTest, RunningMaximumBeginsAnew) {
  const Row x = as_vector<double>({-2, -5, -1, 3, 0, -4, -6});
  EXPECT_EQ(running_maximum(x, 5), as_vector<double>({-2, -2, -1, 3, 3, -4, -4}));
  EXPECT_EQ(scaled_in_column_0<double>(2, as_vector<double>({1, 3}), 2),
            as_matrix<double>({2, 0, 6, 0}, 2, 2));
}

TEST_F(ExamReferenceTest, SegmentMean) {
  const std::vector<int> starts = {0, 2, 2, 3, 6}, tokens = {4, 1, 4, 0, 0, 2};
  Table table = random_table(5, 3);
  const Table dout = random_table(4, 3), out = segment_means(starts, tokens, table);
  EXPECT_TRUE(out.row(0).isApprox((table.row(4) + table.row(1)) / 2));
  EXPECT_TRUE(out.row(1).isZero(0));
  EXPECT_TRUE(out.row(2).isApprox(table.row(4)));
  const auto loss = [&] { return dot(dout, segment_means(starts, tokens, table)); };
  EXPECT_LT(gradient_error(loss, table, scatter_shares(dout, starts, tokens, 5)), kGradientError);
}

TEST_F(ExamReferenceTest, ScaledCosine) {
  Table x = random_table(3, 4), table = random_table(5, 4);
  table.row(2).setZero();
  const double scale = 6.5;
  const auto forward = [&] {
    return scaled_cosines(x, table, inverse_lengths(x), inverse_lengths(table), scale);
  };
  const Table out = forward(), dout = random_table(3, 5);
  EXPECT_LE(out.cwiseAbs().maxCoeff(), scale);
  EXPECT_TRUE(out.col(2).isZero(0));
  const Table dx = scaled_cosines_backward(dout, out, x, table, inverse_lengths(x),
                                           inverse_lengths(table), scale);
  const auto loss = [&] { return dot(dout, forward()); };
  EXPECT_LT(gradient_error(loss, x, dx), kGradientError);
  EXPECT_LT(dx.cwiseProduct(x).rowwise().sum().cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(ExamReferenceTest, SlidingWindow) {
  const exam03::WindowShape shape{2, 5, 6, 3, 3};
  Table qkv = random_table(10, 18);
  const Table weights = window_weights(qkv, shape), dout = random_table(10, 6);
  EXPECT_TRUE(weights.rowwise().sum().isOnes(1e-12));
  // A window as wide as the sequence leaves the attention of lesson 03.
  exam03::WindowShape wide = shape;
  wide.W = 5;
  const AttentionShape whole{2, 5, 6, 3};
  EXPECT_TRUE(window_sum(window_weights(qkv, wide), qkv, wide)
                  .isApprox(attention_forward(qkv, whole), 1e-12));
  const auto loss = [&] { return dot(dout, window_sum(weights, qkv, shape)); };
  Table dqkv = Table::Zero(10, 18);
  dqkv.rightCols(6) = window_value_gradient(weights, dout, shape);
  EXPECT_LT(gradient_error(loss, qkv, dqkv), kGradientError);
}

TEST_F(ExamReferenceTest, HeadNorm) {
  Table x = random_table(4, 6);
  Row gain = random_row(6);
  const Table dy = random_table(4, 6);
  const int H = 2;
  const auto forward = [&] { return head_norm(x, gain, head_rstd(x, H), H); };
  EXPECT_TRUE(heads_of<double>(head_normalised(x, head_rstd(x, H), H), H)
                  .array()
                  .square()
                  .rowwise()
                  .mean()
                  .isOnes(1e-3));
  // One head is the root mean square norm of lesson 04.
  EXPECT_TRUE(head_norm(x, gain, head_rstd(x, 1), 1).isApprox(rms_norm_forward(x, gain), 1e-12));
  const auto gradients = head_norm_backward(dy, x, gain, head_rstd(x, H), H);
  const auto loss = [&] { return dot(dy, forward()); };
  EXPECT_LT(gradient_error(loss, x, gradients.dx), kGradientError);
  EXPECT_LT(gradient_error(loss, gain, gradients.dgain), kGradientError);
}

TEST_F(ExamReferenceTest, SigmoidGelu) {
  Table x = 3 * random_table(4, 3);
  Row bias = random_row(3);
  const Table dy = random_table(4, 3);
  const auto gradients = sigmoid_gelu_backward(dy, x, bias);
  const auto loss = [&] { return dot(dy, sigmoid_gelu(x, bias)); };
  EXPECT_LT(gradient_error(loss, x, gradients.dx), kGradientError);
  EXPECT_LT(gradient_error(loss, bias, gradients.dbias), kGradientError);

  // The table of README.md; and near the exact form.
  const Row a = as_vector<double>({-2, 0, 0.5, 1, 2});
  const Row none = Row::Zero(5), ones = Row::Ones(5);
  const Row s = sigmoid_gelu<double>(a, none),
            slope = sigmoid_gelu_backward<double>(ones, a, none).dx;
  EXPECT_TRUE(s.isApprox(as_vector<double>({-0.0643f, 0, 0.3504f, 0.8458f, 1.9357f}), 1e-4));
  EXPECT_TRUE(slope.isApprox(as_vector<double>({-0.0738f, 0.5, 0.8792f, 1.0678f, 1.0738f}), 1e-4));
  for (double at = -5; at < 5; at += 0.01) {
    EXPECT_NEAR(at * sigmoid_of(at), gelu_erf(at).value, 0.0204);
  }
}

TEST_F(ExamReferenceTest, ParallelBlock) {
  const AttentionShape shape{2, 3, 4, 2};
  const int C = 4, F = 5;
  Named<double> p;
  const std::vector<std::pair<std::string, std::pair<int, int>>> tensors = {
      {"norm_gain", {1, C}},     {"norm_bias", {1, C}},   {"qkv_weight", {C, 3 * C}},
      {"qkv_bias", {1, 3 * C}},  {"out_weight", {C, C}},  {"out_bias", {1, C}},
      {"expand_weight", {C, F}}, {"expand_bias", {1, F}}, {"contract_weight", {F, C}},
      {"contract_bias", {1, C}}};
  for (const auto& [name, size] : tensors) p[name] = random_table(size.first, size.second);
  Table x = random_table(6, C);
  const Table dy = random_table(6, C);
  const auto loss = [&] { return dot(dy, parallel_block(p, x, shape)["y"]); };
  const Named<double> d = parallel_block_backward(p, dy, x, parallel_block(p, x, shape), shape);
  EXPECT_LT(gradient_error(loss, x, d.at("dx")), kGradientError);
  for (const auto& [name, size] : tensors) {
    EXPECT_LT(gradient_error(loss, p[name], d.at("d" + name)), kGradientError) << name;
  }
}

TEST_F(ExamReferenceTest, LabelSmoothing) {
  Table logits = 3 * random_table(4, 5);
  const std::vector<int> targets = {2, -1, 0, 4};
  const double smoothing = 0.125, scale = 0.37;
  EXPECT_TRUE(smoothed_losses(logits, targets, 0.0)
                  .isApprox(cross_entropy_forward(logits, targets), 1e-12));
  EXPECT_EQ(smoothed_losses(logits, targets, smoothing)[1], 0);
  const auto loss = [&] { return scale * smoothed_losses(logits, targets, smoothing).sum(); };
  const Table dlogits = smoothed_losses_backward(logits, targets, smoothing, scale);
  EXPECT_LT(gradient_error(loss, logits, dlogits), kGradientError);
  EXPECT_LT(dlogits.rowwise().sum().cwiseAbs().maxCoeff(), 1e-12);
}

// Each exam asks for nothing that the lessons up to its own have not introduced.
TEST(ExamsTest, NeedNothingThatIsNotYetKnown) {
  course::Course course = the_course();
  const std::size_t lessons = course.lessons.size();
  for (const std::string name :
       {"x00_running_maximum", "x01_segment_mean", "x02_scaled_cosine", "x03_sliding_window",
        "x04_head_norm", "x05_sigmoid_gelu", "x06_parallel_block", "x07_label_smoothing"}) {
    course::add_exam(course, read_file("exam/" + name + "/exam.json"));
    const course::Lesson& exam = course.lesson_of(name.substr(0, 3) + ".1");
    EXPECT_EQ(exam.folder(), "exam/" + name);
    int minutes = 0;
    for (const course::Exercise& exercise : exam.exercises) minutes += exercise.minutes;
    EXPECT_GE(minutes, 40) << name;
    EXPECT_LE(minutes, 60) << name;
  }
  EXPECT_EQ(course.lessons.size(), 2 * lessons);
  EXPECT_EQ(course::faults_of(course), std::vector<std::string>());
}

}  // namespace
}  // namespace andrea::reference
