// 07.5: the model.

#include <algorithm>
#include <string>
#include <type_traits>

#include "lessons/07_full_model/kernel.h"
#include "lessons/07_full_model/mistakes.h"
#include "lessons/07_full_model/model_case.h"
#include "tests/harness/exercise/exercise.h"
#include "tests/harness/references.h"

namespace andrea {
namespace {

using mistakes07::kNotANumber;
using reference::Matrix;
using reference::Vector;

TEST(Lesson07, Exercise5) {
  EXPECT_TRUE(exercise("07.5", kModelSizeNames, kModels, [](Trial& trial) {
    const ModelCase it(trial, trial.sizes<6>());
    ForwardOutputs outputs(it);
    float* logits = trial.output("logits", {{"n", it.N}, {"v", it.stride}});
    trial.run(
        [&](const Launch& launch) {
          lesson07::model_forward(it.config, it.parameter_tensors(), it.tokens_device,
                                  outputs.memory, logits, it.B, it.T, launch);
        },
        lesson07::operation_scratch_bytes(it.config, it.B, it.T));
    const auto streams = it.streams<double>();
    const auto float_streams = it.streams<float>();
    const auto logits_of = [&]<typename Scalar>(Scalar) {
      return it.padded<Scalar>(reference::transformer_forward(
          it.layout, it.all_parameters<Scalar>(), it.tokens, it.B, it.T));
    };
    const auto streams_of = [&]<typename Scalar>(Scalar) {
      if constexpr (std::is_same_v<Scalar, double>)
        return joined(streams);
      else
        return joined(float_streams);
    };
    const auto normed_of = [&]<typename Scalar>(Scalar s) {
      const Vector<Scalar> all = streams_of(s);
      return it.normed<Scalar>(reference::load(all.data() + it.L * it.N * it.C, it.N, it.C));
    };
    trial.expect("streams", streams_of, kRoundings * joined(streams).cwiseAbs().maxCoeff());
    trial.expect("normed", normed_of, kRoundings * normed_of(0.0).cwiseAbs().maxCoeff());
    trial.expect("logits", logits_of, kRoundings * logits_of(0.0).cwiseAbs().maxCoeff());

    const auto show = [&](const std::string& mistake, const auto& wrong) {
      trial.looks_like(mistake, "streams", [&] { return wrong().streams; });
      trial.looks_like(mistake, "normed", [&] { return wrong().normed; });
      trial.looks_like(mistake, "logits", [&] { return wrong().logits; });
    };
    const auto looks_like = [&](const std::string& mistake, const mistakes07::ForwardSlip& slip) {
      show(mistake, [&] { return mistakes07::forward(it, slip); });
    };
    const int last = it.L - 1;
    show("logits_of_stream", [&] {
      mistakes07::Forward wrong = mistakes07::forward(it, {});
      wrong.logits = mistakes07::forward(it, {.last_norm = false}).logits;
      return wrong;
    });
    looks_like("no_positions", {.positions = false});
    looks_like("tied", {.tied = true});
    looks_like("tables_exchanged", {.exchanged = true});
    looks_like("no_last_norm", {.last_norm = false});
    looks_like("norm_of_first", {.norm_of_first = true});
    looks_like("first_block_always", {.block = [](int) { return 0; }});
    looks_like("blocks_reversed", {.block = [=](int l) { return last - l; }});
    looks_like("first_stream_always", {.stream = [](int) { return 0; }});
    // What is computed from memory that nobody has written is no number.
    show("logits_too_early", [&] {
      mistakes07::Forward wrong = mistakes07::forward(it, {});
      wrong.logits.setConstant(kNotANumber);
      return wrong;
    });
    show("last_block_missing", [&] {
      mistakes07::Forward wrong = mistakes07::forward(it, {});
      wrong.streams.tail(it.N * it.C).setConstant(kNotANumber);
      wrong.normed.setConstant(kNotANumber);
      wrong.logits.setConstant(kNotANumber);
      return wrong;
    });
    show("no_embedding", [&] {
      mistakes07::Forward wrong = mistakes07::forward(it, {});
      wrong.streams.setConstant(kNotANumber);
      wrong.normed.setConstant(kNotANumber);
      wrong.logits.setConstant(kNotANumber);
      return wrong;
    });
    // Rows of V numbers, one behind the other, in a buffer whose rows have `stride`.
    show("no_stride", [&] {
      mistakes07::Forward wrong = mistakes07::forward(it, {});
      const Matrix<double> rows = wrong.logits.leftCols(it.V);
      wrong.logits.setConstant(kNotANumber);
      std::copy_n(rows.data(), rows.size(), wrong.logits.data());
      return wrong;
    });
    show("padding_unwritten", [&] {
      mistakes07::Forward wrong = mistakes07::forward(it, {});
      wrong.logits.rightCols(it.stride - it.V).setConstant(kNotANumber);
      return wrong;
    });
  }));
}

}  // namespace
}  // namespace andrea
