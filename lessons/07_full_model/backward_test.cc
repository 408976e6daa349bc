// 07.6: the model, backward.

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/cuda_check.h"
#include "lessons/07_full_model/kernel.h"
#include "lessons/07_full_model/mistakes.h"
#include "lessons/07_full_model/model_case.h"
#include "tests/harness/exercise/exercise.h"
#include "tests/harness/references.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

TEST(Lesson07, Exercise6) {
  EXPECT_TRUE(exercise("07.6", kBackwardNames, both_ways(kModels), [](Trial& trial) {
    const BackwardSizes sizes(trial);
    const Accumulate accumulate = sizes.accumulate;
    const ModelCase it(trial, sizes.sizes);
    const ForwardInputs inputs(it);
    const auto dlogits = trial.random().numbers(std::int64_t{it.N} * it.V);
    const Matrix<double> dlogits_matrix = as_matrix<double>(dlogits, it.N, it.V);
    const Matrix<float> padded = it.padded<float>(as_matrix<float>(dlogits, it.N, it.V));
    const float* dlogits_device = trial.input<float>(
        "dlogits", {{"n", it.N}, {"v", it.stride}}, {padded.data(), padded.data() + padded.size()});
    lesson07::BackwardMemory working;
    working.dnormed = trial.output("dnormed", {{"n", it.N}, {"c", it.C}});
    working.dstream = trial.output("dstream", {{"n", it.N}, {"c", it.C}});
    GradientOutputs gradients(it, accumulate);
    trial.run(
        [&](const Launch& launch) {
          lesson07::model_backward(it.config, it.parameter_tensors(), it.tokens_device,
                                   dlogits_device, inputs.memory, working, gradients.tensors, it.B,
                                   it.T, accumulate, launch);
        },
        lesson07::operation_scratch_bytes(it.config, it.B, it.T));
    const auto right = [&]<typename Scalar>(Scalar) {
      return reference::transformer_backward(it.layout, it.all_parameters<Scalar>(), it.tokens,
                                             as_matrix<Scalar>(dlogits, it.N, it.V), it.B, it.T);
    };
    gradients.expect(right);

    const auto wrong = [&](const mistakes07::BackwardSlip& slip) {
      return mistakes07::backward(it, dlogits_matrix, slip);
    };
    gradients.look_like("tied", [&] { return wrong({.tied = true}); });
    gradients.look_like("stream_for_normed", [&] { return wrong({.stream_for_normed = true}); });
    gradients.look_like("no_last_norm", [&] {
      Vector<double> flat = wrong({.last_norm = false});
      gradients.keep(flat, ".final_");
      return flat;
    });
    gradients.look_like("blocks_from_first", [&] { return wrong({.from_first = true}); });
    gradients.look_like("next_stream", [&] { return wrong({.next_stream = true}); });
    gradients.look_like("tables_early", [&] { return wrong({.tables_early = true}); });
    gradients.look_like("tables_forgotten", [&] {
      Vector<double> flat = right(0.0);
      gradients.keep(flat, "token_table");
      gradients.keep(flat, "position_table");
      return flat;
    });
    // The gradient of the output table goes to the token table, where it stays with `add` only.
    gradients.look_like("output_into_token_table", [&] {
      Vector<double> flat = right(0.0);
      const auto at = it.layout.view<double>(flat.data());
      const Vector<double> of_output =
          Eigen::Map<const Vector<double>>(at.output_table, std::int64_t{it.stride} * it.C);
      if (accumulate == Accumulate::add) reference::add_to(at.token_table, of_output);
      gradients.keep(flat, "output_table");
      return flat;
    });
    // The rows behind V of a table's gradient, as they were.
    const auto leave_padding = [&](Vector<double>& flat, const std::string& table) {
      if (accumulate == Accumulate::add) return;  // 0 is added: that is as they were, too
      const auto at = it.layout.view<double>(flat.data());
      double* const numbers = table == "token_table" ? at.token_table : at.output_table;
      const auto& before = trial.before("gradients." + table);
      for (int i = it.V * it.C; i < it.stride * it.C; ++i) {
        numbers[i] = static_cast<double>(before[static_cast<std::size_t>(i)]);
      }
    };
    for (const char* const table : {"output_table", "token_table"}) {
      gradients.look_like("padding_rows_left", [&] {
        Vector<double> flat = right(0.0);
        leave_padding(flat, table);
        return flat;
      });
    }
    // The rows of dlogits read V numbers apart, one behind the other.
    gradients.look_like("no_stride", [&] {
      const std::vector<float> read(padded.data(), padded.data() + it.N * it.V);
      Vector<double> flat = mistakes07::backward(it, as_matrix<double>(read, it.N, it.V), {});
      leave_padding(flat, "output_table");
      return flat;
    });
    // The rows behind T of the position table's gradient, as so many times what they held.
    const auto unused_positions = [&](Accumulate where, double times) {
      return [&, where, times] {
        Vector<double> flat = right(0.0);
        if (accumulate != where) return flat;
        const auto at = it.layout.view<double>(flat.data());
        const auto& before = trial.before("gradients.position_table");
        for (int i = it.T * it.C; i < it.config.context * it.C; ++i) {
          at.position_table[i] = times * static_cast<double>(before[static_cast<std::size_t>(i)]);
        }
        return flat;
      };
    };
    gradients.look_like("positions_not_cleared", unused_positions(Accumulate::overwrite, 1));
    gradients.look_like("positions_cleared", unused_positions(Accumulate::add, -1));
    gradients.look_like("all_positions_cleared", [&] {
      Vector<double> flat = right(0.0);
      const auto at = it.layout.view<double>(flat.data());
      if (accumulate == Accumulate::add) return flat;
      std::fill_n(at.position_table, it.config.context * it.C, 0.0);
      return flat;
    });
    // Of all blocks into those of the first: only what is added stays.
    gradients.look_like("gradients_of_first_block", [&] {
      Vector<double> flat = right(0.0);
      const auto at = it.layout.view<double>(flat.data());
      for (int l = 1; l < it.L; ++l) {
        auto first = at.blocks[0], other = at.blocks[static_cast<std::size_t>(l)];
        if (accumulate == Accumulate::add) mistakes07::add_block(it.config, first, other);
        gradients.keep(flat, "blocks[" + std::to_string(l) + "]");
      }
      return flat;
    });
    const auto scaled_before = [&](double factor) {
      return [&, factor] {
        Vector<double> flat = right(0.0);
        gradients.add_before(flat, factor);
        return flat;
      };
    };
    if (accumulate == Accumulate::add) {
      gradients.look_like("always_overwritten", scaled_before(-1));
    } else {
      gradients.look_like("always_added", scaled_before(1));
    }

    // Exactly 0, and not as good as 0: a byte of 1 is hardly seen in a float.
    if (trial.failure().kind != Failure::none || accumulate == Accumulate::add) return;
    std::vector<float> unused(static_cast<std::size_t>(2 * it.C));
    CUDA_CHECK(cudaMemcpy(unused.data(), gradients.tensors.position_table + it.T * it.C,
                          unused.size() * sizeof(float), cudaMemcpyDeviceToHost));
    trial.require(
        std::all_of(unused.begin(), unused.end(), [](float number) { return number == 0; }),
        "positions_nearly_zero");
  }));
}

}  // namespace
}  // namespace andrea
