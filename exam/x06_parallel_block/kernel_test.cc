#include "exam/x06_parallel_block/kernel.h"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "exam/x06_parallel_block/reference.h"
#include "kernels/attention.h"
#include "kernels/cuda_check.h"
#include "kernels/device_buffer.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "lessons/06_residual_block/tensors.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/references.h"

namespace andrea {
namespace {

using exam06::BlockSizes;
using exam06::Gradients;
using exam06::States;
using exam06::Tensors;
using reference::Matrix;
using reference::Named;

using Names = std::vector<std::string>;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// C is H * D.
const Names kSizeNames = {"B", "T", "H", "D", "F"};
const std::vector<std::vector<int>> kSizes = {{1, 2, 1, 3, 4},   {1, 3, 1, 2, 4},
                                              {2, 3, 2, 2, 5},   {3, 5, 3, 4, 31},
                                              {2, 33, 2, 8, 33}, {1, 97, 1, 5, 7}};

const Names kStates = {"norm", "qkv", "attended", "expanded", "activated", "y"};
const Names kGradients = {"dactivated", "dexpanded", "dnorm_of_mlp", "dattended", "dqkv",
                          "dnorm",      "dx"};
const Names kParameters = {"norm_gain",       "norm_bias",    "qkv_weight",    "qkv_bias",
                           "out_weight",      "out_bias",     "expand_weight", "expand_bias",
                           "contract_weight", "contract_bias"};

// The tensors of a struct in the order of kParameters.
template <typename Number>
std::vector<Number**> all_of(Tensors<Number>& t) {
  return {&t.norm_gain, &t.norm_bias,     &t.qkv_weight,  &t.qkv_bias,        &t.out_weight,
          &t.out_bias,  &t.expand_weight, &t.expand_bias, &t.contract_weight, &t.contract_bias};
}

struct BlockCase {
  explicit BlockCase(Trial& trial) {
    const auto all = trial.sizes<5>();
    const int C = all[2] * all[3];
    sizes = {all[0], all[1], C, all[2], all[4]};
    shape = {all[0], all[1], C, all[2]};
    N = all[0] * all[1];
    trial.need(C > 1);       // a norm of one number leaves nothing of it
    omp_set_num_threads(1);  // of the cpu set: for so little work they would wait for each other
    columns = {{"norm", C},
               {"qkv", 3 * C},
               {"attended", C},
               {"expanded", all[4]},
               {"activated", all[4]},
               {"y", C},
               {"dx", C},
               {"dactivated", all[4]},
               {"dexpanded", all[4]},
               {"dnorm_of_mlp", C},
               {"dattended", C},
               {"dqkv", 3 * C},
               {"dnorm", C}};
    const int F = all[4];
    const std::vector<std::vector<int>> shapes = {{1, C}, {1, C}, {C, 3 * C}, {1, 3 * C}, {C, C},
                                                  {1, C}, {C, F}, {1, F},     {F, C},     {1, C}};
    const auto pointers = all_of(parameters);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const int rows = shapes[i][0], width = shapes[i][1];
      const auto numbers = trial.random().numbers(std::int64_t{rows} * width);
      *pointers[i] = trial.input(kParameters[i], parameter_axes(rows, width), numbers);
      values[kParameters[i]] = as_matrix<float>(numbers, rows, width);
    }
    // Rows that hardly vary have a norm that is made of rounding errors: none of them is like that.
    auto numbers = trial.random().numbers(std::int64_t{N} * C);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] += i % static_cast<std::size_t>(C) % 2 == 0 ? 1.5f : -1.5f;
    }
    x = as_matrix<float>(numbers, N, C);
    x_device = trial.input("x", axes("y"), numbers);
  }

  static Axes parameter_axes(int rows, int width) {
    return rows == 1 ? Axes{{"c", width}} : Axes{{"row", rows}, {"c", width}};
  }
  Axes axes(const std::string& name) const {
    return {{"b", sizes.B}, {"t", sizes.T}, {"c", columns.at(name)}};
  }
  std::size_t scratch_bytes() const {
    const auto [B, T, C, H, F] = sizes;
    return std::max({layer_norm_scratch_bytes(N, C), linear_scratch_bytes(N, C, 3 * C),
                     attention_scratch_bytes(shape), linear_scratch_bytes(N, C, C),
                     linear_scratch_bytes(N, C, F), linear_scratch_bytes(N, F, C)});
  }
  template <typename Scalar>
  Named<Scalar> weights() const {
    Named<Scalar> result;
    for (const auto& [name, matrix] : values) result[name] = matrix.template cast<Scalar>();
    return result;
  }

  BlockSizes sizes;
  AttentionShape shape;
  int N;
  std::map<std::string, int> columns;
  Tensors<const float> parameters{};  // on the device
  Named<float> values;                // the same here
  Matrix<float> x;
  const float* x_device;
};

std::vector<float> floats(const Matrix<float>& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

TEST(Exam06, Exercise1) {
  EXPECT_TRUE(exercise("x06.1", kSizeNames, kSizes, [](Trial& trial) {
    const BlockCase it(trial);
    const int C = it.sizes.C;
    States s{};
    s.norm = trial.output("norm", it.axes("norm"));
    s.qkv = trial.output("qkv", it.axes("qkv"));
    s.attended = trial.output("attended", it.axes("attended"));
    s.expanded = trial.output("expanded", it.axes("expanded"));
    s.activated = trial.output("activated", it.axes("activated"));
    const auto saved = [&](const std::string& name, std::size_t bytes) {
      return trial.output(name, {{"i", static_cast<int>(bytes / sizeof(float))}});
    };
    s.norm_saved = saved("norm_saved", layer_norm_saved_bytes(it.N, C));
    s.attention_saved = saved("attention_saved", attention_saved_bytes(it.shape));
    float* correction = trial.output("correction", it.axes("y"));
    float* y = trial.output("y", it.axes("y"));
    trial.run(
        [&](const Launch& launch) {
          exam06::parallel_block(it.sizes, it.parameters, it.x_device, s, correction, y, launch);
        },
        it.scratch_bytes());
    const auto right = [&]<typename Scalar>(Scalar) {
      return reference::parallel_block<Scalar>(it.weights<Scalar>(), it.x.cast<Scalar>(), it.shape);
    };
    expect_all(trial, kStates, right(double{}), right(float{}));
    for (const char* const name : {"norm_saved", "attention_saved"}) {
      const std::vector<float>& numbers = trial.contents(name);
      trial.require(!std::all_of(numbers.begin(), numbers.end(), is_never_written), "not_saved",
                    {{"what", name}});
    }

    const Named<double> p = it.weights<double>(), exact = right(double{});
    const Matrix<double> x = it.x.cast<double>();
    const auto linear = [&](const Matrix<double>& in, const std::string& layer) {
      return reference::linear_forward<double>(in, p.at(layer + "_weight"),
                                               reference::row(p, layer + "_bias"));
    };
    const auto norm_of = [&](const Matrix<double>& rows) {
      return reference::layer_norm_forward<double>(rows, reference::row(p, "norm_gain"),
                                                   reference::row(p, "norm_bias"));
    };
    const Matrix<double> by_attention = linear(exact.at("attended"), "out"),
                         by_mlp = linear(exact.at("activated"), "contract");
    // The two branches out of what they read; y is `stream` and both.
    const auto by = [&](const Matrix<double>& to_attention, const Matrix<double>& to_mlp,
                        const Matrix<double>& stream) {
      Named<double> tensors{{"norm", exact.at("norm")}};
      tensors["qkv"] = linear(to_attention, "qkv");
      tensors["attended"] = reference::attention_forward(tensors["qkv"], it.shape);
      tensors["expanded"] = linear(to_mlp, "expand");
      tensors["activated"] =
          reference::activation_forward<double>(Activation::gelu, tensors["expanded"]);
      tensors["y"] =
          stream + linear(tensors["attended"], "out") + linear(tensors["activated"], "contract");
      return tensors;
    };
    const auto with_y = [&](const Matrix<double>& y_of_mistake) {
      Named<double> tensors = exact;
      tensors["y"] = y_of_mistake;
      return tensors;
    };
    const auto mistake = [&](const std::string& name, const auto& make) {
      looks_like(trial, name, kStates, make);
    };
    const Matrix<double>& norm = exact.at("norm");
    mistake("residual_lost", [&] { return with_y(by_attention + by_mlp); });
    mistake("residual_of_norm", [&] { return with_y(norm + by_attention + by_mlp); });
    mistake("residual_twice", [&] { return with_y(2 * x + by_attention + by_mlp); });
    mistake("attention_lost", [&] { return with_y(x + by_mlp); });
    mistake("mlp_lost", [&] { return with_y(x + by_attention); });
    mistake("mlp_of_x", [&] { return by(norm, x, x); });
    mistake("attention_of_x", [&] { return by(x, norm, x); });
    mistake("one_after_the_other", [&] { return by(norm, norm_of(x + by_attention), x); });
    mistake("one_after_the_other", [&] { return by(norm, x + by_attention, x); });
    mistake("one_after_the_other", [&] {
      Named<double> wrong = by(norm, norm_of(x + by_attention), x);
      wrong["norm"] = norm_of(x + by_attention);
      return wrong;
    });
    mistake("mlp_of_attended", [&] { return by(norm, exact.at("attended"), x); });
    mistake("no_activation",
            [&] { return with_y(x + by_attention + linear(exact.at("expanded"), "contract")); });
    mistake("no_mask", [&] {
      Named<double> wrong = exact;
      AttentionShape shape = it.shape;
      shape.causal = false;
      wrong["attended"] = reference::attention_forward(exact.at("qkv"), shape);
      wrong["y"] = x + linear(wrong["attended"], "out") + by_mlp;
      return wrong;
    });
  }));
}

// A state as an input of the exercise, which only reads it.
float* state(Trial& trial, const std::string& name, const Axes& axes,
             const std::vector<float>& numbers) {
  return const_cast<float*>(trial.input(name, axes, numbers));
}

// What an operation leaves for its backward, by work(saved), as an input.
template <typename Work>
float* saved_state(Trial& trial, const std::string& name, std::size_t bytes, const Work& work) {
  DeviceBuffer<float> saved(static_cast<std::int64_t>(bytes / sizeof(float)));
  work(saved.data());
  CUDA_CHECK(cudaDeviceSynchronize());
  const std::vector<float> numbers = saved.to_host();
  return state(trial, name, {{"i", static_cast<int>(numbers.size())}}, numbers);
}

TEST(Exam06, Exercise2) {
  Names size_names = kSizeNames;
  size_names.push_back("add");
  EXPECT_TRUE(exercise("x06.2", size_names, both_ways(kSizes), [](Trial& trial) {
    const BlockCase it(trial);
    const int C = it.sizes.C;
    const bool add = trial.sizes<6>()[5] != 0;
    const Accumulate accumulate = add ? Accumulate::add : Accumulate::overwrite;
    const Named<float> forward =
        reference::parallel_block<float>(it.weights<float>(), it.x, it.shape);
    States s{};
    const auto given = [&](const std::string& name) {
      return state(trial, name, it.axes(name), floats(forward.at(name)));
    };
    s.norm = given("norm"), s.qkv = given("qkv"), s.attended = given("attended");
    s.expanded = given("expanded"), s.activated = given("activated");
    s.norm_saved =
        saved_state(trial, "norm_saved", layer_norm_saved_bytes(it.N, C), [&](float* saved) {
          DeviceBuffer<float> out(std::int64_t{it.N} * C);
          layer_norm_forward(it.x_device, nullptr, nullptr, out.data(), saved, it.N, C, Launch());
          CUDA_CHECK(cudaDeviceSynchronize());
        });
    s.attention_saved =
        saved_state(trial, "attention_saved", attention_saved_bytes(it.shape), [&](float* saved) {
          DeviceBuffer<float> out(std::int64_t{it.N} * C);
          const Workspace workspace(attention_scratch_bytes(it.shape));
          attention_forward(s.qkv, out.data(), saved, it.shape, workspace.launch());
          CUDA_CHECK(cudaDeviceSynchronize());
        });
    const auto dy = trial.random().numbers(std::int64_t{it.N} * C);
    const float* dy_device = trial.input("dy", it.axes("y"), dy);
    Gradients d{};
    float** const of_states[] = {&d.dactivated, &d.dexpanded, &d.dnorm_of_mlp,
                                 &d.dattended,  &d.dqkv,      &d.dnorm};
    for (std::size_t i = 0; i < 6; ++i) {
      *of_states[i] = trial.output(kGradients[i], it.axes(kGradients[i]));
    }
    float* dx = trial.output("dx", it.axes("dx"));
    Tensors<float> g{};
    const auto pointers = all_of(g);
    Names names = kGradients;
    for (std::size_t i = 0; i < kParameters.size(); ++i) {
      const Matrix<float>& like = it.values.at(kParameters[i]);
      const int rows = static_cast<int>(like.rows()), width = static_cast<int>(like.cols());
      names.push_back("d" + kParameters[i]);
      *pointers[i] =
          trial.gradient(names.back(), BlockCase::parameter_axes(rows, width), accumulate);
    }
    trial.run(
        [&](const Launch& launch) {
          exam06::parallel_block_backward(it.sizes, it.parameters, dy_device, it.x_device, s, d, dx,
                                          g, accumulate, launch);
        },
        it.scratch_bytes());
    const auto right = [&]<typename Scalar>(Scalar) {
      Named<Scalar> states;
      for (const auto& [name, matrix] : forward) states[name] = matrix.template cast<Scalar>();
      return reference::parallel_block_backward<Scalar>(it.weights<Scalar>(),
                                                        as_matrix<Scalar>(dy, it.N, C),
                                                        it.x.cast<Scalar>(), states, it.shape);
    };
    expect_all(trial, names, right(double{}), right(float{}));

    const Named<double> p = it.weights<double>(), exact = right(double{});
    const Matrix<double> x = it.x.cast<double>(), Dy = as_matrix<double>(dy, it.N, C);
    const auto mistake = [&](const std::string& name, const auto& make) {
      looks_like(trial, name, names, make);
    };
    // All from `dnorm` on; dx is `stream` and what the norm brings.
    const auto from_norm = [&](const Matrix<double>& dnorm, const Matrix<double>& stream) {
      Named<double> wrong = exact;
      const auto norm =
          reference::layer_norm_backward<double>(dnorm, x, reference::row(p, "norm_gain"));
      wrong["dnorm"] = dnorm;
      wrong["dnorm_gain"] = norm.dgain, wrong["dnorm_bias"] = norm.dbias;
      wrong["dx"] = stream + norm.dx;
      return wrong;
    };
    const Matrix<double>& both = exact.at("dnorm");
    const Matrix<double>& of_mlp = exact.at("dnorm_of_mlp");
    const Matrix<double> nothing = 0 * x;
    mistake("residual_path_lost", [&] { return from_norm(both, nothing); });
    mistake("residual_path_twice", [&] { return from_norm(both, 2 * Dy); });
    mistake("mlp_branch_lost", [&] { return from_norm(both - of_mlp, Dy); });
    mistake("attention_branch_lost", [&] { return from_norm(of_mlp, Dy); });
    mistake("attention_branch_lost", [&] {
      Named<double> wrong = from_norm(of_mlp, Dy);
      wrong["dnorm"] = both - of_mlp;
      return wrong;
    });
    mistake("norm_skipped", [&] {
      Named<double> wrong = exact;
      wrong["dx"] = Dy + both;
      // Never written: what a gradient held stays, as if nothing had been added.
      for (const char* const name : {"dnorm_gain", "dnorm_bias"}) {
        wrong[name].setConstant(add ? 0 : kNotANumber);
      }
      return wrong;
    });
    mistake("dy_in_the_norm", [&] { return from_norm(both + Dy, nothing); });
    mistake("branch_lost_on_the_way", [&] {
      Named<double> wrong = exact;
      wrong["dx"] = Dy;
      return wrong;
    });
  }));
}

}  // namespace
}  // namespace andrea
