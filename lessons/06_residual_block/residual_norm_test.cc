// 06.8: the counters of one kernel against those of two.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lessons/06_residual_block/further.h"
#include "lessons/06_residual_block/mistakes.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/06_residual_block/tensors.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes06::Tensors;
using reference::Matrix;
using reference::Vector;
using simulator::AccessKind;

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

}  // namespace
}  // namespace andrea
