// kernels/attention.h, of all steps together.

#include <cmath>
#include <string>

#include "kernels/attention.h"
#include "lessons/03_attention/attention_case.h"
#include "lessons/03_attention/reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

// The steps together, as kernels/attention.h asks for them: with and without saved weights.
TEST(Lesson03, Whole) {
  EXPECT_TRUE(whole("03.7", "kernels/attention.h", kSizeNames, kSizes, [](Trial& trial) {
    const AttentionCase it(trial);
    const AttentionShape& shape = it.shape;
    const auto qkv = trial.random().numbers(3 * it.numbers, 2);
    const auto dout = trial.random().numbers(it.numbers);
    const float* qkv_device = trial.input("qkv", it.qkv_axes, qkv);
    const float* dout_device = trial.input("dout", it.row_axes, dout);
    float* out = trial.output("out", it.row_axes);
    float* out_alone = trial.output("out without saved", it.row_axes);
    float* dqkv = trial.output("dqkv", it.qkv_axes);
    float* saved =
        trial.output("saved", {{"i", static_cast<int>(attention_saved_bytes(shape) / 4)}});
    trial.run(
        [&](const Launch& launch) {
          attention_forward(qkv_device, out_alone, nullptr, shape, launch);
          attention_forward(qkv_device, out, saved, shape, launch);
          attention_backward(dout_device, qkv_device, out, saved, dqkv, shape, launch);
        },
        attention_scratch_bytes(shape));
    const double accumulated = 2 * (1 + 4 * std::sqrt(it.D));
    const auto expected = [&]<typename Scalar>(Scalar) {
      return reference::attention_forward(it.qkv_matrix<Scalar>(qkv), shape);
    };
    trial.expect("out", expected, accumulated);
    trial.expect("out without saved", expected, accumulated);
    trial.expect(
        "dqkv",
        [&]<typename Scalar>(Scalar) {
          return reference::attention_backward(it.row_matrix<Scalar>(dout),
                                               it.qkv_matrix<Scalar>(qkv), shape);
        },
        2 * accumulated);
    const AttentionShape rotary{shape.B, shape.T, shape.C, shape.H, shape.causal, true};
    trial.require(attention_supports(shape).empty() &&
                      attention_supports(rotary).find("rotary") != std::string::npos,
                  "refusal");
  }));
}

}  // namespace
}  // namespace andrea
