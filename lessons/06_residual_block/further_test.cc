#include "lessons/06_residual_block/further.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "kernels/layer_norm.h"
#include "lessons/06_residual_block/block_case.h"
#include "lessons/06_residual_block/mistakes.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/06_residual_block/replayed_block.h"
#include "lessons/06_residual_block/tensors.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes06::Tensors;
using reference::Matrix;
using reference::Vector;
using simulator::AccessKind;

// ---- 06.7: what a post-norm MLP sublayer leaves, and what a mistake makes of it.

template <typename Scalar>
struct PostNorm {
  PostNorm(const reference::BlockWeights<Scalar>& weights, Matrix<Scalar> input)
      : w(weights), x(std::move(input)) {
    expanded = reference::linear_forward(x, w.expand, w.expand_bias);
    activated = reference::activation_forward(Activation::gelu, expanded);
    sum = x + correction();
    y = normed(sum);
  }

  Matrix<Scalar> correction() const {
    return reference::linear_forward(activated, w.contract, w.contract_bias);
  }
  Matrix<Scalar> normed(const Matrix<Scalar>& rows) const {
    return reference::layer_norm_forward(rows, w.norm2_gain, w.norm2_bias);
  }
  Tensors<Scalar> states() const {
    return {{"expanded", expanded}, {"activated", activated}, {"sum", sum}, {"y", y}};
  }

  // `norm_reads`: of the norm's backward pass; `into_linear`: what the MLP gets; the sum at the end
  // is of `past` and what came back through the MLP.
  Tensors<Scalar> gradients(const Matrix<Scalar>& dy, const Matrix<Scalar>& norm_reads,
                            bool norm_skipped_by_mlp, const Matrix<Scalar>& expand_reads,
                            double past_norm, double past_all, double branch) const {
    const auto norm = reference::layer_norm_backward(dy, norm_reads, w.norm2_gain);
    const Matrix<Scalar>& into_mlp = norm_skipped_by_mlp ? dy : norm.dx;
    const auto contract = reference::linear_backward<Scalar>(into_mlp, activated, w.contract);
    const Matrix<Scalar> dexpanded =
        reference::activation_backward(Activation::gelu, contract.dx, expanded);
    const auto expand = reference::linear_backward<Scalar>(dexpanded, expand_reads, w.expand);
    const Matrix<Scalar> dx = static_cast<Scalar>(past_norm) * norm.dx +
                              static_cast<Scalar>(past_all) * dy +
                              static_cast<Scalar>(branch) * expand.dx;
    return {{"dsum", norm.dx},
            {"dnorm2_gain", norm.dgain},
            {"dnorm2_bias", norm.dbias},
            {"dactivated", contract.dx},
            {"dcontract_weight", contract.dweight},
            {"dcontract_bias", contract.dbias},
            {"dexpanded", dexpanded},
            {"dexpand_weight", expand.dweight},
            {"dexpand_bias", expand.dbias},
            {"dbranch", expand.dx},
            {"dx", dx}};
  }
  Tensors<Scalar> gradients(const Matrix<Scalar>& dy) const {
    return gradients(dy, sum, false, x, 1, 0, 1);
  }

  reference::BlockWeights<Scalar> w;
  Matrix<Scalar> x, expanded, activated, sum, y;
};

TEST(Lesson06, Exercise7) {
  const std::vector<std::vector<int>> sizes = {{1, 2, 1, 3, 4, 1, 1},   {1, 3, 1, 2, 4, 1, 0},
                                               {2, 3, 2, 2, 5, 0, 1},   {1, 1, 3, 2, 3, 1, 0},
                                               {3, 11, 3, 4, 31, 1, 1}, {2, 33, 2, 8, 33, 0, 0}};
  const std::vector<std::string> size_names = {"B", "T", "H", "D", "F", "biases", "add"};
  EXPECT_TRUE(exercise("06.7", size_names, sizes, [](Trial& trial) {
    const auto all = trial.sizes<7>();
    const BlockCase it(trial, {all.begin(), all.end()});
    const Accumulate accumulate = all[6] != 0 ? Accumulate::add : Accumulate::overwrite;
    const auto dy = it.random_rows(trial, it.C);
    const float* dy_device = trial.input("dy", it.axes(it.C), dy);
    lesson06::PostNormStates s{};
    s.expanded = trial.output("expanded", it.axes(it.F));
    s.activated = trial.output("activated", it.axes(it.F));
    s.sum = trial.output("sum", it.axes(it.C));
    s.norm_saved = trial.output("norm_saved",
                                {{"i", static_cast<int>(layer_norm_saved_bytes(it.N, it.C) / 4)}});
    float* y = trial.output("y", it.axes(it.C));
    lesson06::PostNormGradients d{};
    d.dsum = trial.output("dsum", it.axes(it.C));
    d.dactivated = trial.output("dactivated", it.axes(it.F));
    d.dexpanded = trial.output("dexpanded", it.axes(it.F));
    d.dbranch = trial.output("dbranch", it.axes(it.C));
    float* dx = trial.output("dx", it.axes(it.C));
    BlockTensors<float> gradients{};
    for (std::size_t i = 6; i < kBlockTensors; ++i) {
      if (!it.has(i)) continue;
      tensor_of(gradients, i) =
          trial.gradient("d" + it.tensors[i].name, it.tensors[i].axes, accumulate);
    }
    trial.run(
        [&](const Launch& launch) {
          lesson06::post_norm_sublayer(it.parameters, it.x_device, s, y, it.N, it.C, it.F, launch);
          lesson06::post_norm_sublayer_backward(it.parameters, dy_device, it.x_device, s, d, dx,
                                                gradients, it.N, it.C, it.F, accumulate, launch);
        },
        it.scratch_bytes());

    const PostNorm<double> exact(it.weights<double>(), it.x<double>());
    const PostNorm<float> rounded(it.weights<float>(), it.x<float>());
    const std::vector<std::string> states = {"expanded", "activated", "sum", "y"};
    expect_all(trial, states, exact.states(), rounded.states());
    // Where forward is wrong already, what comes back of it says nothing more.
    if (trial.failure().kind == Failure::none) {
      const std::vector<std::string> names = it.existing(
          {"dsum", "dnorm2_gain", "dnorm2_bias", "dactivated", "dcontract_weight", "dcontract_bias",
           "dexpanded", "dexpand_weight", "dexpand_bias", "dbranch", "dx"});
      expect_all(trial, names, exact.gradients(it.rows<double>(dy)),
                 rounded.gradients(it.rows<float>(dy)));
    }

    const auto mistake = [&](const std::string& name, const auto& make) {
      looks_like(trial, name, states, make);
    };
    mistake("pre_norm", [&] {
      PostNorm<double> wrong = exact;
      wrong.expanded =
          reference::linear_forward(exact.normed(exact.x), exact.w.expand, exact.w.expand_bias);
      wrong.activated = reference::activation_forward(Activation::gelu, wrong.expanded);
      wrong.sum = wrong.correction();
      wrong.y = exact.x + wrong.sum;
      Tensors<double> tensors = wrong.states();
      return tensors;
    });
    mistake("residual_lost", [&] {
      PostNorm<double> wrong = exact;
      wrong.sum = exact.correction();
      wrong.y = exact.normed(wrong.sum);
      return wrong.states();
    });
    mistake("norm_before_sum", [&] {
      PostNorm<double> wrong = exact;
      wrong.sum = exact.correction();
      wrong.y = exact.x + exact.normed(wrong.sum);
      return wrong.states();
    });
    mistake("not_normed", [&] {
      PostNorm<double> wrong = exact;
      wrong.y = wrong.sum;
      return wrong.states();
    });

    const Matrix<double> dout = it.rows<double>(dy);
    const std::vector<std::string> backward = it.existing(
        {"dsum", "dnorm2_gain", "dnorm2_bias", "dactivated", "dcontract_weight", "dcontract_bias",
         "dexpanded", "dexpand_weight", "dexpand_bias", "dbranch", "dx"});
    const auto back = [&](const std::string& name, const auto& make) {
      looks_like(trial, name, backward, make);
    };
    back("residual_past_the_norm",
         [&] { return exact.gradients(dout, exact.sum, false, exact.x, 0, 1, 1); });
    back("residual_path_lost",
         [&] { return exact.gradients(dout, exact.sum, false, exact.x, 0, 0, 1); });
    back("branch_lost", [&] { return exact.gradients(dout, exact.sum, false, exact.x, 1, 0, 0); });
    back("norm_reads_y", [&] {
      // The saved mean and deviation are those of the sum.
      Tensors<double> wrong = exact.gradients(dout);
      const auto norm = mistakes06::norm_backward(dout, exact.y, exact.w.norm2_gain, exact.sum);
      const PostNorm<double>& it_is = exact;
      const auto contract =
          reference::linear_backward<double>(norm.dx, it_is.activated, it_is.w.contract);
      const Matrix<double> dexpanded =
          reference::activation_backward(Activation::gelu, contract.dx, it_is.expanded);
      const auto expand = reference::linear_backward<double>(dexpanded, it_is.x, it_is.w.expand);
      wrong = {{"dsum", norm.dx},
               {"dnorm2_gain", norm.dgain},
               {"dnorm2_bias", norm.dbias},
               {"dactivated", contract.dx},
               {"dcontract_weight", contract.dweight},
               {"dcontract_bias", contract.dbias},
               {"dexpanded", dexpanded},
               {"dexpand_weight", expand.dweight},
               {"dexpand_bias", expand.dbias},
               {"dbranch", expand.dx},
               {"dx", norm.dx + expand.dx}};
      return wrong;
    });
    back("mlp_skips_the_norm",
         [&] { return exact.gradients(dout, exact.sum, true, exact.x, 1, 0, 1); });
    back("expand_reads_another",
         [&] { return exact.gradients(dout, exact.sum, false, exact.sum, 1, 0, 1); });
    back("expand_reads_another",
         [&] { return exact.gradients(dout, exact.sum, false, exact.y, 1, 0, 1); });
  }));
}

// ---- 06.8: the counters of one kernel against those of two.

struct Traffic {
  std::int64_t launches, loads, stores;
};

void require_traffic(Trial& trial, const simulator::Counters& counters, const Traffic& most) {
  if (!counters.counted()) return;
  const simulator::KernelCounters total = counters.total();
  const auto count_of_kind = [&](AccessKind kind) {
    return static_cast<std::int64_t>(total.of(kind).lanes);
  };
  const auto words = [](std::int64_t count, std::int64_t least) {
    return std::map<std::string, std::string>{{"count", std::to_string(count)},
                                              {"most", std::to_string(least)}};
  };
  const auto launches = static_cast<std::int64_t>(total.launches);
  const std::int64_t loads = count_of_kind(AccessKind::global_load);
  const std::int64_t stores = count_of_kind(AccessKind::global_store);
  trial.require(launches <= most.launches, "launches", words(launches, most.launches));
  trial.require(stores <= most.stores, "stores", words(stores, most.stores));
  trial.require(loads <= most.loads, "loads", words(loads, most.loads));
  // Neighbouring lanes at neighbouring numbers: with rows of whole sectors none is wasted.
  const simulator::AccessCounters& load = total.of(AccessKind::global_load);
  trial.require(load.sectors <= load.least_sectors + load.requests, "scattered");
}

TEST(Lesson06, Exercise8) {
  const std::vector<std::vector<int>> sizes = {{1, 2},  {2, 3},  {3, 31},  {2, 33},  {5, 64},
                                               {9, 97}, {33, 7}, {4, 128}, {2, 1024}};
  EXPECT_TRUE(exercise("06.8", {"N", "C"}, sizes, [](Trial& trial) {
    const auto [N, C] = trial.sizes<2>();
    trial.need(C > 1);
    const std::int64_t numbers = std::int64_t{N} * C;
    const Axes rows = {{"n", N}, {"c", C}}, row = {{"c", C}}, column = {{"n", N}};
    std::vector<float> stream = trial.random().numbers(numbers, 2);
    for (std::size_t i = 0; i < stream.size(); ++i) {  // no row that hardly varies
      stream[i] += i % static_cast<std::size_t>(C) % 2 == 0 ? 3.5f : -3.5f;
    }
    const auto correction = trial.random().numbers(numbers);
    const auto gain = trial.random().numbers(C), bias = trial.random().numbers(C);
    const auto dsum = trial.random().numbers(numbers), dnormed = trial.random().numbers(numbers);

    const auto forward = [&]<typename Scalar>(Scalar) {
      const Matrix<Scalar> sum =
          as_matrix<Scalar>(stream, N, C) + as_matrix<Scalar>(correction, N, C);
      Matrix<Scalar> mean(N, 1), rstd(N, 1);
      for (int n = 0; n < N; ++n) {
        mean(n, 0) = sum.row(n).mean();
        rstd(n, 0) = reference::normalise<Scalar>(sum.row(n)).rstd;
      }
      return Tensors<Scalar>{{"sum", sum},
                             {"normed", reference::layer_norm_forward(sum, as_vector<Scalar>(gain),
                                                                      as_vector<Scalar>(bias))},
                             {"mean", mean},
                             {"rstd", rstd}};
    };
    const Tensors<double> exact = forward(double{});
    const Tensors<float> rounded = forward(float{});
    // The backward kernel gets the reference's, so that it is wrong by its own mistakes alone.
    const auto floats = [](const Matrix<float>& matrix) {
      return std::vector<float>(matrix.data(), matrix.data() + matrix.size());
    };
    const auto sum_given = floats(rounded.at("sum"));
    const float* stream_device = trial.input("stream", rows, stream);
    const float* correction_device = trial.input("correction", rows, correction);
    const float* gain_device = trial.input("gain", row, gain);
    const float* bias_device = trial.input("bias", row, bias);
    const float* dsum_device = trial.input("dsum", rows, dsum);
    const float* dnormed_device = trial.input("dnormed", rows, dnormed);
    const float* sum_device = trial.input("sum of before", rows, sum_given);
    const float* mean_device = trial.input("mean of before", column, floats(rounded.at("mean")));
    const float* rstd_device = trial.input("rstd of before", column, floats(rounded.at("rstd")));
    float* sum = trial.output("sum", rows);
    float* normed = trial.output("normed", rows);
    float* mean = trial.output("mean", column);
    float* rstd = trial.output("rstd", column);
    float* dstream = trial.output("dstream", rows);
    const auto forward_work = [&](const Launch& launch) {
      lesson06::residual_norm(stream_device, correction_device, gain_device, bias_device, sum,
                              normed, mean, rstd, N, C, launch);
    };
    const auto backward_work = [&](const Launch& launch) {
      lesson06::residual_norm_backward(dsum_device, dnormed_device, sum_device, gain_device,
                                       mean_device, rstd_device, dstream, N, C, launch);
    };
    trial.run([&](const Launch& launch) {
      forward_work(launch);
      backward_work(launch);
    });
    expect_all(trial, {"sum", "normed", "mean", "rstd"}, exact, rounded);
    const auto backward = [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
      return as_matrix<Scalar>(dsum, N, C) +
             reference::layer_norm_backward(as_matrix<Scalar>(dnormed, N, C),
                                            as_matrix<Scalar>(sum_given, N, C),
                                            as_vector<Scalar>(gain))
                 .dx;
    };
    const Matrix<double> dstream_exact = backward(double{});
    // Rows that hardly vary have a large rstd, which is then the size of each term.
    const double largest = exact.at("rstd").maxCoeff();
    trial.expect("dstream", backward, kRoundings * std::max(1.0, largest));

    const Matrix<double> d = as_matrix<double>(dsum, N, C);
    const Matrix<double> dn = as_matrix<double>(dnormed, N, C);
    const Matrix<double> of_sum = as_matrix<double>(sum_given, N, C);
    const Vector<double> g = as_vector<double>(gain), b = as_vector<double>(bias);
    const auto norm_of = [&](const std::string& mistake, const std::vector<float>& what) {
      const Matrix<double> of = as_matrix<double>(what, N, C);
      trial.looks_like(mistake, "normed", [&] { return reference::layer_norm_forward(of, g, b); });
      trial.looks_like(mistake, "mean", [&]() -> Matrix<double> { return of.rowwise().mean(); });
      trial.looks_like(mistake, "rstd", [&] {
        Matrix<double> wrong(N, 1);
        for (int n = 0; n < N; ++n) wrong(n, 0) = reference::normalise<double>(of.row(n)).rstd;
        return wrong;
      });
    };
    norm_of("norm_of_the_stream", stream);
    norm_of("norm_of_the_correction", correction);
    trial.looks_like("no_gain", "normed",
                     [&] { return reference::layer_norm_forward(exact.at("sum"), {}, b); });
    trial.looks_like("no_bias", "normed",
                     [&] { return reference::layer_norm_forward(exact.at("sum"), g, {}); });
    trial.looks_like("residual_path_lost", "dstream",
                     [&]() -> Matrix<double> { return dstream_exact - d; });
    trial.looks_like("branch_lost", "dstream", [&] { return d; });
    // dstream with parts of the norm's backward pass left out.
    const auto by = [&](double mean_share, double product_share, double rstd_power) {
      Matrix<double> wrong = d;
      for (int n = 0; n < N; ++n) {
        const auto [x_hat, row_mean, row_rstd] = reference::normalise<double>(of_sum.row(n));
        const Vector<double> gn = dn.row(n).array() * g.array();
        wrong.row(n).array() +=
            std::pow(row_rstd, rstd_power) *
            (gn.array() - mean_share * gn.mean() -
             product_share * x_hat.array() * (gn.array() * x_hat.array()).mean());
      }
      return wrong;
    };
    trial.looks_like("mean_missing", "dstream", [&] { return by(0, 1, 1); });
    trial.looks_like("product_missing", "dstream", [&] { return by(1, 0, 1); });
    trial.looks_like("rstd_missing", "dstream", [&] { return by(1, 1, 0); });
    trial.looks_like("sums_for_means", "dstream", [&] { return by(C, C, 1); });
    trial.looks_like("no_gain", "dstream", [&]() -> Matrix<double> {
      return d + reference::layer_norm_backward(dn, of_sum, {}).dx;
    });
    if (C % 8 != 0) return;
    require_traffic(trial, trial.counted(forward_work), {1, 4 * numbers, 2 * numbers + 2 * N});
    // Each lane may read the row's mean and rstd.
    require_traffic(trial, trial.counted(backward_work), {1, 4 * numbers + 64 * N, numbers});
  }));
}

// ---- 06.9: a block's forward pass, recorded once and replayed on other inputs.

TEST(Lesson06, Exercise9) {
  const std::vector<std::vector<int>> sizes = {
      {1, 2, 1, 3, 4, 1}, {2, 5, 3, 2, 7, 1}, {1, 33, 2, 4, 9, 0}};
  EXPECT_TRUE(exercise("06.9", kBlockSizeNames, sizes, [](Trial& trial) {
    const auto all = trial.sizes<6>();
    const BlockCase it(trial, {all.begin(), all.end()});
    const auto second = it.random_rows(trial, it.C);
    const float* second_device = trial.input("second x", it.axes(it.C), second);
    float* y_first = trial.output("first y", it.axes(it.C));
    float* y_second = trial.output("second y", it.axes(it.C));
    lesson06::Replayed replayed{};
    trial.run(
        [&](const Launch& launch) {
          replayed = lesson06::replay_block(it.shape, it.F, it.parameters, it.x_device,
                                            second_device, y_first, y_second, launch);
        },
        it.scratch_bytes());

    const auto y_of = [&]<typename Scalar>(const std::vector<float>& from, Scalar) {
      const reference::BlockWeights<Scalar> w = it.weights<Scalar>();
      reference::BlockStates<Scalar> s;
      reference::attention_sublayer(w, it.shape, it.rows<Scalar>(from), s);
      reference::mlp_sublayer(w, Activation::gelu, s);
      return s.y;
    };
    const auto both = [&]<typename Scalar>(Scalar scalar) {
      return Tensors<Scalar>{{"first y", y_of(it.x_values, scalar)},
                             {"second y", y_of(second, scalar)}};
    };
    const Tensors<double> exact = both(double{});
    expect_all(trial, {"first y", "second y"}, exact, both(float{}));
    // Where there is a graph; else nobody has begun.
    for (const char* const name : {"first y", "second y"}) {
      trial.looks_like("not_replayed", name, [&]() -> Matrix<double> {
        return (replayed.is_recorded ? 0 : 1) * exact.at(name);
      });
    }
    trial.require(replayed.calls == 1, "calls", {{"count", std::to_string(replayed.calls)}});
    trial.require(!replayed.done_while_recording, "done_while_recording");
    trial.require(replayed.operations >= 10, "operations",
                  {{"count", std::to_string(replayed.operations)}});
  }));
}

}  // namespace
}  // namespace andrea
