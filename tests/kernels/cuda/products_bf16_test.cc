// The products of the cuda set in float and bf16, with what follows a product done by cublasLt, by
// half, and not at all: against the references in double of the very numbers the kernels are given.
//
// Tolerances. n numbers below 1 of either sign have partial sums below 4 sqrt(n), and their n
// roundings by 2^-24 of that, of either sign too, come to less than 8 n 2^-24; then the result is
// rounded, in bf16 by 2^-8 of itself. The smallest mistakes (a term, a bias or an earlier sum left
// out, bf16 sums instead of float ones) are tenfold that.

#include <gtest/gtest.h>
#include <simulator/reports.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "kernels/cuda/lt_matmul.h"
#include "kernels/cuda/products.h"
#include "kernels/cuda_check.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"
#include "tests/kernels/cuda/short_numbers.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

struct Size {
  int N, in, out;
};

// Rows: one, an odd number, more than one chunk of dbias's sums. The last has rows that 16 bytes do
// not divide.
constexpr Size kSizes[] = {{1, 48, 192},  {2, 192, 48},   {97, 64, 192}, {97, 192, 64},
                           {97, 48, 144}, {260, 64, 192}, {33, 36, 20}};

// Of a sum in float of so many random numbers.
double error_of_sums(int terms) { return 8 * terms * 0x1p-24; }

template <typename Number>
class ProductsTest : public ::testing::Test {
 protected:
  ~ProductsTest() override { cuda::choose_fusion(cuda::Fusion::by_card); }

  // Calls it with every choice of what cublasLt is left to do.
  template <typename Function>
  void with_each_fusion(Function function) {
    for (const auto& [fusion, name] :
         {std::pair(cuda::Fusion::none, "nothing fused"), std::pair(cuda::Fusion::bias, "the bias"),
          std::pair(cuda::Fusion::all, "all")}) {
      SCOPED_TRACE(name);
      cuda::choose_fusion(fusion);
      function();
    }
  }

  RandomInputs random_;
};

using Numbers = ::testing::Types<float, __nv_bfloat16>;
TYPED_TEST_SUITE(ProductsTest, Numbers);

// One layer's operands, in memory and for the references.
template <typename Number>
struct Layer {
  Layer(RandomInputs& random, const Size& size)
      : N(size.N),
        in(size.in),
        out(size.out),
        x("x", {N, in}, random_numbers<Number>(random, std::int64_t{N} * in)),
        weight("W", {in, out}, random_numbers<Number>(random, std::int64_t{in} * out)),
        bias("bias", {out}, random_numbers<Number>(random, out)),
        dy("dy", {N, out}, random_numbers<Number>(random, std::int64_t{N} * out)),
        exact_x(as_matrix<double>(values_of(x.before()), N, in)),
        exact_weight(as_matrix<double>(values_of(weight.before()), in, out)),
        exact_bias(as_vector<double>(values_of(bias.before()))),
        exact_dy(as_matrix<double>(values_of(dy.before()), N, out)),
        workspace(cuda::products_scratch_bytes(N, in, out)) {}

  Matrix<double> sum(bool has_bias) const {
    return reference::linear_forward(exact_x, exact_weight,
                                     has_bias ? exact_bias : Vector<double>());
  }

  // Of each number of the sum, before its last rounding: where the bias is added apart, the product
  // has been rounded too.
  std::vector<double> error_of_sum() const {
    const Matrix<double> product = sum(false);
    std::vector<double> errors;
    for (Eigen::Index i = 0; i < product.size(); ++i) {
      errors.push_back(error_of_sums(in + 1) + kRounding<Number> * std::abs(product.data()[i]));
    }
    return errors;
  }

  int N, in, out;
  GuardedTensor<const Number> x, weight, bias, dy;
  Matrix<double> exact_x, exact_weight;
  Vector<double> exact_bias;
  Matrix<double> exact_dy;
  Workspace workspace;
};

TYPED_TEST(ProductsTest, LinearForward) {
  using Number = TypeParam;
  for (const Size& size : kSizes) {
    Layer<Number> layer(this->random_, size);
    for (const bool has_bias : {true, false}) {
      SCOPED_TRACE(title_of("N, in, out, bias", {size.N, size.in, size.out, has_bias}));
      const Matrix<double> exact = layer.sum(has_bias);
      const std::vector<double> slack = layer.error_of_sum();
      this->with_each_fusion([&] {
        GuardedTensor<Number> y("y", {layer.N, layer.out});
        cuda::linear_forward(layer.x.data(), layer.weight.data(),
                             has_bias ? layer.bias.data() : nullptr, y.data(), layer.N, layer.in,
                             layer.out, layer.workspace.launch());
        EXPECT_TRUE(rounded_close("y", y.contents(), exact, 1, slack));
      });
    }
  }
}

TYPED_TEST(ProductsTest, LinearGeluForward) {
  using Number = TypeParam;
  for (const Size& size : kSizes) {
    Layer<Number> layer(this->random_, size);
    for (const bool has_bias : {true, false}) {
      SCOPED_TRACE(title_of("N, in, out, bias", {size.N, size.in, size.out, has_bias}));
      const Matrix<double> sum = layer.sum(has_bias);
      const Matrix<double> activated = reference::activation_forward(Activation::gelu, sum);
      const std::vector<double> slack = layer.error_of_sum();
      // GELU of a number that was rounded itself; its slope is at most 1.13. In float the function
      // is computed in a few roundings.
      std::vector<double> slack_of_gelu;
      for (std::size_t i = 0; i < slack.size(); ++i) {
        slack_of_gelu.push_back(1.13 * (slack[i] + kRounding<Number> * std::abs(sum.data()[i])) +
                                0x1p-21);
      }
      this->with_each_fusion([&] {
        for (const bool keeps : {true, false}) {
          GuardedTensor<Number> expanded("expanded", {layer.N, layer.out});
          GuardedTensor<Number> y("y", {layer.N, layer.out});
          cuda::linear_gelu_forward(layer.x.data(), layer.weight.data(),
                                    has_bias ? layer.bias.data() : nullptr,
                                    keeps ? expanded.data() : nullptr, y.data(), layer.N, layer.in,
                                    layer.out, layer.workspace.launch());
          if (keeps) {
            EXPECT_TRUE(rounded_close("expanded", expanded.contents(), sum, 1, slack));
          }
          EXPECT_TRUE(rounded_close("y", y.contents(), activated, 1, slack_of_gelu));
        }
      });
    }
  }
}

TYPED_TEST(ProductsTest, GeluAgain) {
  using Number = TypeParam;
  for (const auto& [N, width] : {std::pair(1, 48), std::pair(97, 192), std::pair(33, 20)}) {
    GuardedTensor<const Number> expanded(
        "expanded", {N, width},
        random_numbers<Number>(this->random_, std::int64_t{N} * width, 6.0f));
    GuardedTensor<Number> y("y", {N, width});
    cuda::gelu_again(expanded.data(), y.data(), N, width, Launch());
    const Matrix<double> exact = reference::activation_forward(
        Activation::gelu, as_matrix<double>(values_of(expanded.before()), N, width));
    EXPECT_TRUE(rounded_close("y", y.contents(), exact, 1, {0x1p-20}));
  }
}

// What a gradient of parameters must be: the sums, and what was there before.
template <typename Exact>
::testing::AssertionResult sums_close(const GuardedTensor<float>& actual, Exact exact, int terms) {
  for (std::size_t i = 0; i < actual.before().size(); ++i) {
    exact.data()[i] += static_cast<double>(actual.before()[i]);
  }
  return rounded_close(actual.name(), actual.contents(), exact, 1, {error_of_sums(terms + 1)});
}

TYPED_TEST(ProductsTest, LinearBackward) {
  using Number = TypeParam;
  for (const Size& size : kSizes) {
    Layer<Number> layer(this->random_, size);
    SCOPED_TRACE(title_of("N, in, out", {size.N, size.in, size.out}));
    const auto exact =
        reference::linear_backward(layer.exact_dy, layer.exact_x, layer.exact_weight);
    const auto expect_right = [&](Accumulate accumulate, bool all) {
      GuardedTensor<Number> dx("dx", {layer.N, layer.in});
      auto dweight = gradient_tensor("dW", {layer.in, layer.out}, accumulate,
                                     this->random_.numbers(std::int64_t{layer.in} * layer.out));
      auto dbias =
          gradient_tensor("dbias", {layer.out}, accumulate, this->random_.numbers(layer.out));
      cuda::linear_backward(layer.dy.data(), layer.x.data(), layer.weight.data(),
                            all ? dx.data() : nullptr, dweight.data(), all ? dbias.data() : nullptr,
                            layer.N, layer.in, layer.out, accumulate, layer.workspace.launch());
      EXPECT_TRUE(sums_close(dweight, exact.dweight, layer.N));
      if (!all) return;
      EXPECT_TRUE(rounded_close("dx", dx.contents(), exact.dx, 1, {error_of_sums(layer.out)}));
      EXPECT_TRUE(sums_close(dbias, exact.dbias, layer.N));
    };
    this->with_each_fusion([&] {
      for (const Accumulate accumulate : kBothWays) {
        for (const bool all : {true, false}) expect_right(accumulate, all);
      }
    });
  }
}

TYPED_TEST(ProductsTest, LinearBackwardThroughGelu) {
  using Number = TypeParam;
  for (const Size& size : kSizes) {
    Layer<Number> layer(this->random_, size);
    SCOPED_TRACE(title_of("N, in, out", {size.N, size.in, size.out}));
    GuardedTensor<const Number> expanded(
        "expanded", {layer.N, layer.in},
        random_numbers<Number>(this->random_, std::int64_t{layer.N} * layer.in, 4.0f));
    const Matrix<double> exact_expanded =
        as_matrix<double>(values_of(expanded.before()), layer.N, layer.in);
    const auto exact =
        reference::linear_backward(layer.exact_dy, layer.exact_x, layer.exact_weight);
    const Matrix<double> exact_dexpanded =
        reference::activation_backward(Activation::gelu, exact.dx, exact_expanded);
    this->with_each_fusion([&] {
      for (const Accumulate accumulate : kBothWays) {
        GuardedTensor<Number> dexpanded("dexpanded", {layer.N, layer.in});
        auto dweight = gradient_tensor("dW", {layer.in, layer.out}, accumulate,
                                       this->random_.numbers(std::int64_t{layer.in} * layer.out));
        auto dbias =
            gradient_tensor("dbias", {layer.out}, accumulate, this->random_.numbers(layer.out));
        const bool has_bias = accumulate == Accumulate::add;
        cuda::linear_backward_through_gelu(layer.dy.data(), layer.x.data(), expanded.data(),
                                           layer.weight.data(), dexpanded.data(), dweight.data(),
                                           has_bias ? dbias.data() : nullptr, layer.N, layer.in,
                                           layer.out, accumulate, layer.workspace.launch());
        // Rounded once more where the derivative is multiplied with apart; that is below 1.13, and
        // computed in a few roundings.
        EXPECT_TRUE(rounded_close("dexpanded", dexpanded.contents(), exact_dexpanded, 2,
                                  {1.13 * error_of_sums(layer.out) + 0x1p-21 * layer.out}));
        EXPECT_TRUE(sums_close(dweight, exact.dweight, layer.N));
        if (has_bias) {
          EXPECT_TRUE(sums_close(dbias, exact.dbias, layer.N));
        }
      }
    });
  }
}

// ---- Similarity.

struct TableSize {
  int N, M, C, stride;
};

// The vocabulary of the model, and its rows with those of zeros.
constexpr TableSize kTables[] = {{1, 33, 48, 128}, {2, 8449, 48, 8576}, {97, 136, 64, 136}};

// Rows of M numbers among rows of `stride` numbers.
template <typename Number>
Matrix<double> columns_of(const std::vector<Number>& numbers, const TableSize& size) {
  return as_matrix<double>(values_of(numbers), size.N, size.stride).leftCols(size.M);
}

template <typename Number, typename Result>
void expect_similarity(RandomInputs& random, const TableSize& size) {
  const auto [N, M, C, stride] = size;
  SCOPED_TRACE(title_of("N, M, C, stride", {N, M, C, stride}));
  const auto untouched = number_of<Result>(7.0f);
  GuardedTensor<const Number> x("x", {N, C}, random_numbers<Number>(random, std::int64_t{N} * C));
  GuardedTensor<const Number> table("table", {M, C},
                                    random_numbers<Number>(random, std::int64_t{M} * C));
  GuardedTensor<Result> out(
      "out", {N, stride},
      std::vector<Result>(static_cast<std::size_t>(N) * static_cast<std::size_t>(stride),
                          untouched));
  const Workspace workspace(cuda::products_scratch_bytes(N, C, M));
  cuda::similarity_forward(x.data(), table.data(), out.data(), N, M, C, stride, workspace.launch());

  const Matrix<double> exact =
      reference::dot_similarity_forward(as_matrix<double>(values_of(x.before()), N, C),
                                        as_matrix<double>(values_of(table.before()), M, C));
  std::vector<Result> written;
  const std::vector<Result> all = out.contents();
  for (int n = 0; n < N; ++n) {
    const auto row = all.begin() + std::ptrdiff_t{n} * stride;
    written.insert(written.end(), row, row + M);
    EXPECT_TRUE(std::all_of(row + M, row + stride,
                            [&](Result number) { return value_of(number) == 7.0f; }));
  }
  EXPECT_TRUE(rounded_close("out", written, exact, 1, {error_of_sums(C)}));
}

TYPED_TEST(ProductsTest, SimilarityForward) {
  for (const TableSize& size : kTables) {
    expect_similarity<TypeParam, TypeParam>(this->random_, size);
    expect_similarity<TypeParam, float>(this->random_, size);
  }
}

TYPED_TEST(ProductsTest, SimilarityBackward) {
  using Number = TypeParam;
  for (const TableSize& size : kTables) {
    const auto [N, M, C, stride] = size;
    SCOPED_TRACE(title_of("N, M, C, stride", {N, M, C, stride}));
    std::vector<Number> strided = random_numbers<Number>(this->random_, std::int64_t{N} * stride);
    for (int n = 0; n < N; ++n) {  // what must not be read
      for (int m = M; m < stride; ++m) strided[n * stride + m] = number_of<Number>(NAN);
    }
    GuardedTensor<const Number> dout("dout", {N, stride}, strided);
    GuardedTensor<const Number> x("x", {N, C},
                                  random_numbers<Number>(this->random_, std::int64_t{N} * C));
    GuardedTensor<const Number> table("table", {M, C},
                                      random_numbers<Number>(this->random_, std::int64_t{M} * C));
    const auto exact = reference::dot_similarity_backward(
        columns_of(strided, size), as_matrix<double>(values_of(x.before()), N, C),
        as_matrix<double>(values_of(table.before()), M, C));
    for (const Accumulate accumulate : kBothWays) {
      for (const bool with_dx : {true, false}) {
        GuardedTensor<Number> dx("dx", {N, C});
        auto dtable = gradient_tensor("dtable", {M, C}, accumulate,
                                      this->random_.numbers(std::int64_t{M} * C));
        const Workspace workspace(cuda::products_scratch_bytes(N, C, M));
        cuda::similarity_backward(dout.data(), x.data(), table.data(),
                                  with_dx ? dx.data() : nullptr, dtable.data(), N, M, C, stride,
                                  accumulate, workspace.launch());
        EXPECT_TRUE(sums_close(dtable, exact.dtable, N));
        if (with_dx) {
          EXPECT_TRUE(rounded_close("dx", dx.contents(), exact.dx, 1, {error_of_sums(M)}));
        }
      }
    }
  }
}

// ---- Operands that begin anywhere.

// Numbers that begin `shift` numbers behind a multiple of 256 bytes.
template <typename Number>
class Shifted {
 public:
  Shifted(const std::vector<Number>& numbers, int shift)
      : shift_(shift), tensor_("shifted", {shift + std::ssize(numbers)}, padded(numbers, shift)) {}

  Number* data() { return tensor_.data() + shift_; }
  std::vector<Number> contents() const {
    const std::vector<Number> all = tensor_.contents();
    return {all.begin() + shift_, all.end()};
  }

 private:
  static std::vector<Number> padded(std::vector<Number> numbers, int shift) {
    numbers.insert(numbers.begin(), static_cast<std::size_t>(shift), number_of<Number>(0));
    return numbers;
  }

  int shift_;
  GuardedTensor<Number> tensor_;
};

TYPED_TEST(ProductsTest, OperandsMayBeginAnywhere) {
  using Number = TypeParam;
  constexpr Size kSize = {131, 24, 40};
  const auto [N, in, out] = kSize;
  Layer<Number> layer(this->random_, kSize);
  const Matrix<double> sum = layer.sum(true);
  const Matrix<double> activated = reference::activation_forward(Activation::gelu, sum);
  const auto exact = reference::linear_backward(layer.exact_dy, layer.exact_x, layer.exact_weight);
  const Matrix<double> exact_dexpanded =
      reference::activation_backward(Activation::gelu, exact.dx, layer.exact_x);
  for (const int shift : {0, 1, 4}) {
    SCOPED_TRACE(shift);
    Shifted<Number> x(layer.x.before(), shift), weight(layer.weight.before(), shift);
    Shifted<Number> bias(layer.bias.before(), shift), dy(layer.dy.before(), shift);
    Shifted<Number> expanded(std::vector<Number>(N * out), shift);
    Shifted<Number> y(std::vector<Number>(N * out), shift);
    Shifted<Number> dexpanded(std::vector<Number>(N * in), shift);
    Shifted<float> dweight(std::vector<float>(in * out), shift);
    Shifted<float> dbias(std::vector<float>(out), shift);
    this->with_each_fusion([&, N = N, in = in, out = out] {
      const Launch& launch = layer.workspace.launch();
      cuda::linear_gelu_forward(x.data(), weight.data(), bias.data(), expanded.data(), y.data(), N,
                                in, out, launch);
      cuda::linear_backward_through_gelu(dy.data(), x.data(), x.data(), weight.data(),
                                         dexpanded.data(), dweight.data(), dbias.data(), N, in, out,
                                         Accumulate::overwrite, launch);
      const double loose = 0x1p-12 + 16 * kRounding<Number>;  // the values are checked elsewhere
      EXPECT_TRUE(rounded_close("expanded", expanded.contents(), sum, 1, {loose}));
      EXPECT_TRUE(rounded_close("y", y.contents(), activated, 1, {loose}));
      EXPECT_TRUE(rounded_close("dexpanded", dexpanded.contents(), exact_dexpanded, 2, {loose}));
      EXPECT_TRUE(rounded_close("dW", dweight.contents(), exact.dweight, 1, {error_of_sums(N)}));
      EXPECT_TRUE(rounded_close("dbias", dbias.contents(), exact.dbias, 1, {error_of_sums(N)}));
    });
  }
}

// ---- Graphs.

// A layer with GELU forward, and back through it, which adds to gradients: each launch changes what
// the next one begins with.
class RecordedLayer {
 public:
  explicit RecordedLayer(RandomInputs random)
      : layer_(random, {kRows, kIn, kOut}),
        expanded_("expanded", {kRows, kOut}),
        y_("y", {kRows, kOut}),
        dx_("dx", {kRows, kIn}),
        dexpanded_("dexpanded", {kRows, kIn}),
        dweight_("dW", {kIn, kOut}, std::vector<float>(kIn * kOut)),
        dbias_("dbias", {kOut}, std::vector<float>(kOut)) {}

  void operator()(cudaStream_t stream) {
    Launch launch = layer_.workspace.launch();
    launch.stream = stream;
    cuda::linear_gelu_forward(layer_.x.data(), layer_.weight.data(), layer_.bias.data(),
                              expanded_.data(), y_.data(), kRows, kIn, kOut, launch);
    cuda::linear_backward(y_.data(), layer_.x.data(), layer_.weight.data(), dx_.data(),
                          dweight_.data(), dbias_.data(), kRows, kIn, kOut, Accumulate::add,
                          launch);
    cuda::linear_backward_through_gelu(expanded_.data(), layer_.x.data(), dx_.data(),
                                       layer_.weight.data(), dexpanded_.data(), dweight_.data(),
                                       dbias_.data(), kRows, kIn, kOut, Accumulate::add, launch);
  }

  std::vector<float> gradients() const {
    std::vector<float> all = dweight_.contents();
    for (const float number : dbias_.contents()) all.push_back(number);
    for (const float number : values_of(dexpanded_.contents())) all.push_back(number);
    return all;
  }

 private:
  // Of no other test, so that the plans are made while the stream is recorded; and more rows than
  // one chunk has.
  static constexpr int kRows = 131;
  static constexpr int kIn = 40;
  static constexpr int kOut = 88;

  Layer<__nv_bfloat16> layer_;
  GuardedTensor<__nv_bfloat16> expanded_, y_, dx_, dexpanded_;
  GuardedTensor<float> dweight_, dbias_;
};

TEST(ProductsGraphTest, AGraphLaunchedTwiceIsTwoCalls) {
  const RandomInputs random;
  RecordedLayer recorded(random);
  RecordedLayer called(random);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_CHECK(cudaStreamCreate(&stream));
  CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  recorded(stream);
  CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphLaunch(executable, stream));
  CUDA_CHECK(cudaGraphLaunch(executable, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  called(nullptr);
  called(nullptr);
  EXPECT_TRUE(bits_equal(recorded.gradients(), called.gradients()));
  CUDA_CHECK(cudaGraphExecDestroy(executable));
  CUDA_CHECK(cudaGraphDestroy(graph));
  CUDA_CHECK(cudaStreamDestroy(stream));
}

}  // namespace
}  // namespace andrea
