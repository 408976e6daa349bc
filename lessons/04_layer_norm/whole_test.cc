// kernels/layer_norm.h, of all steps together.

#include <vector>

#include "kernels/layer_norm.h"
#include "lessons/04_layer_norm/layer_norm_case.h"
#include "lessons/04_layer_norm/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

// The steps together, as kernels/layer_norm.h asks for them.
TEST(Lesson04, Whole) {
  const std::vector<std::vector<int>> sizes = {
      {3, 2, 1, 1, 0},  {2, 3, 0, 0, 0},   {4, 5, 1, 0, 1}, {9, 33, 0, 1, 1},
      {5, 97, 1, 1, 1}, {3, 129, 1, 1, 0}, {1, 1, 1, 1, 0}};
  EXPECT_TRUE(whole(
      "04.4", "kernels/layer_norm.h", {"N", "C", "gain", "bias", "add"}, sizes, [](Trial& trial) {
        const auto [N, C, has_gain, has_bias, add] = trial.sizes<5>();
        const Accumulate accumulate = add ? Accumulate::add : Accumulate::overwrite;
        const auto x = various_rows(trial.random(), N, C);
        const auto dy = trial.random().numbers(N * C, 2);
        const auto gain = trial.random().numbers(has_gain ? C : 0, 2);
        const auto bias = trial.random().numbers(has_bias ? C : 0, 2);
        const float* x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
        const float* dy_device = trial.input("dy", {{"n", N}, {"c", C}}, dy);
        const float* gain_device = has_gain ? trial.input("gain", {{"c", C}}, gain) : nullptr;
        const float* bias_device = has_bias ? trial.input("bias", {{"c", C}}, bias) : nullptr;
        float* y = trial.output("y", {{"n", N}, {"c", C}});
        float* y_alone = trial.output("y without saved", {{"n", N}, {"c", C}});
        float* dx = trial.output("dx", {{"n", N}, {"c", C}});
        float* dgain = has_gain ? trial.gradient("dgain", {{"c", C}}, accumulate) : nullptr;
        float* dbias = has_bias ? trial.gradient("dbias", {{"c", C}}, accumulate) : nullptr;
        const int saved_numbers = static_cast<int>(layer_norm_saved_bytes(N, C) / sizeof(float));
        float* saved = trial.output("saved", {{"i", saved_numbers}});
        trial.run(
            [&, N = N, C = C](const Launch& launch) {
              layer_norm_forward(x_device, gain_device, bias_device, y_alone, nullptr, N, C,
                                 launch);
              layer_norm_forward(x_device, gain_device, bias_device, y, saved, N, C, launch);
              layer_norm_backward(dy_device, x_device, gain_device, saved, dx, dgain, dbias, N, C,
                                  accumulate, launch);
            },
            layer_norm_scratch_bytes(N, C));
        const auto expected = [&, N = N, C = C]<typename Scalar>(Scalar) {
          return reference::layer_norm_forward<Scalar>(
              as_matrix<Scalar>(x, N, C), as_vector<Scalar>(gain), as_vector<Scalar>(bias));
        };
        const auto gradients = [&, N = N, C = C]<typename Scalar>(Scalar) {
          return reference::layer_norm_backward<Scalar>(
              as_matrix<Scalar>(dy, N, C), as_matrix<Scalar>(x, N, C), as_vector<Scalar>(gain));
        };
        const double accumulated = 20 + C / 16.0;
        trial.expect("y", expected, accumulated);
        trial.expect("y without saved", expected, accumulated);
        const double largest_rstd = 320;
        trial.expect(
            "dx", [&]<typename Scalar>(Scalar scalar) { return gradients(scalar).dx; },
            20 * largest_rstd);
        if (has_gain) {
          trial.expect(
              "dgain", [&]<typename Scalar>(Scalar scalar) { return gradients(scalar).dgain; },
              20 * N);
        }
        if (has_bias) {
          trial.expect(
              "dbias", [&]<typename Scalar>(Scalar scalar) { return gradients(scalar).dbias; },
              2 * N);
        }
      }));
}

}  // namespace
}  // namespace andrea
