#include "tests/harness/model_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "tests/harness/close.h"
#include "tests/harness/marked_nan.h"

namespace andrea {

GuardedTensor<float> model_gradients(const ParameterLayout& layout, Accumulate accumulate,
                                     RandomInputs& random) {
  std::vector<float> values = random_parameters(layout, random);
  if (accumulate == Accumulate::overwrite) {
    for (const ParameterTensor& tensor : layout.tensors()) {
      std::fill_n(values.begin() + tensor.offset, tensor.count(),
                  std::bit_cast<float>(kNeverWritten));
    }
  }
  return {"gradients", {layout.size()}, std::move(values)};
}

void expect_gradients_close(const ParameterLayout& layout, const GuardedTensor<float>& actual,
                            Accumulate accumulate, const reference::Vector<double>& exact,
                            const reference::Vector<float>& rounded, const std::string& prefix) {
  const std::vector<float> now = actual.contents();
  reference::Vector<double> exact_sum = exact;
  reference::Vector<float> rounded_sum = rounded;
  if (accumulate == Accumulate::add) {
    const auto before = reference::load(actual.before().data(), static_cast<int>(now.size()));
    exact_sum += before.cast<double>();
    rounded_sum += before;
  }
  // Some gradients are zero in theory (a key's bias moves all scores of a row alike), and what an
  // implementation has instead is the rounding of the other gradients.
  const double accumulated = kRoundings * exact_sum.cwiseAbs().maxCoeff();

  std::int64_t end = 0;  // of the tensor before
  for (const ParameterTensor& tensor : layout.tensors()) {
    EXPECT_TRUE(untouched(actual, end, tensor.offset)) << "the gap before " << tensor.name;
    end = tensor.offset + tensor.count();
    if (tensor.name.starts_with(prefix)) {
      const auto count = static_cast<std::size_t>(tensor.count());
      EXPECT_TRUE(close(tensor.name, tensor.shape, std::span(now).subspan(tensor.offset, count),
                        std::span(exact_sum.data() + tensor.offset, count),
                        std::span(rounded_sum.data() + tensor.offset, count), accumulated));
    } else {
      EXPECT_TRUE(untouched(actual, tensor.offset, end)) << tensor.name;
    }
  }
  EXPECT_TRUE(untouched(actual, end, layout.size())) << "the gap at the end";
}

}  // namespace andrea
