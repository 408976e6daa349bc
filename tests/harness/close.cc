#include "tests/harness/close.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "tests/harness/marked_nan.h"
#include "tests/harness/seed.h"

namespace andrea {
namespace {

constexpr double kGapFactor = 10;
constexpr double kUnits = 4;
constexpr int kShown = 10;

// "[1, 0, 5]" for the element at `position` of a row-major tensor.
std::string index_of(std::int64_t position, const Shape& shape) {
  std::string index = "]";
  for (std::size_t i = shape.size(); i-- > 0;) {
    index = (i > 0 ? ", " : "[") + std::to_string(position % shape[i]) + index;
    position /= shape[i];
  }
  return index;
}

// A NaN is the largest of all errors.
bool larger(double error, double than) {
  return std::isnan(error) ? !std::isnan(than) : error > than;
}

}  // namespace

double tolerance_of(std::span<const double> exact, std::span<const float> rounded,
                    double accumulated) {
  if (exact.size() != rounded.size()) return std::numeric_limits<double>::quiet_NaN();
  double gap = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double difference = std::abs(exact[i] - static_cast<double>(rounded[i]));
    if (larger(difference, gap)) gap = difference;
    accumulated = std::max(accumulated, std::abs(exact[i]));
  }
  return kGapFactor * gap + kUnits * accumulated * std::numeric_limits<float>::epsilon();
}

::testing::AssertionResult close_within(double tolerance, const std::string& name,
                                        const Shape& shape, std::span<const float> actual,
                                        std::span<const double> exact) {
  const std::string title = title_of(name, shape);
  if (actual.size() != exact.size()) {
    return ::testing::AssertionFailure()
           << title << ": " << actual.size() << " numbers, but the reference has " << exact.size();
  }
  std::int64_t wrong = 0, worst = 0;
  double largest = -1;
  std::ostringstream list;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double error = std::abs(static_cast<double>(actual[i]) - exact[i]);
    if (larger(error, largest)) largest = error, worst = static_cast<std::int64_t>(i);
    if (error <= tolerance) continue;  // false for a NaN
    if (++wrong <= kShown) {
      list << "\n  " << index_of(static_cast<std::int64_t>(i), shape) << ": expected " << exact[i]
           << ", got " << describe(actual[i]);
    }
  }
  if (wrong == 0) return ::testing::AssertionSuccess();
  if (wrong > kShown) list << "\n  ...";
  return ::testing::AssertionFailure()
         << title << ": " << wrong << " of " << actual.size() << " numbers are wrong (tolerance "
         << tolerance << ", largest error " << largest << " at " << index_of(worst, shape)
         << "; ANDREA_TEST_SEED=" << test_seed() << ")" << list.str();
}

::testing::AssertionResult untouched(const GuardedTensor<float>& tensor, std::int64_t begin,
                                     std::int64_t end) {
  const std::vector<float> now = tensor.contents();
  for (std::int64_t i = begin; i < end; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool same = tensor.before().empty()
                          ? is_never_written(now[at])
                          : std::memcmp(&now[at], &tensor.before()[at], sizeof(float)) == 0;
    if (same) continue;
    return ::testing::AssertionFailure()
           << title_of(tensor.name(), tensor.shape()) << ": " << index_of(i, tensor.shape())
           << " must not be touched, but now holds " << describe(now[at]);
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult bits_equal(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) {
    return ::testing::AssertionFailure() << a.size() << " numbers against " << b.size();
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::memcmp(&a[i], &b[i], sizeof(float)) == 0) continue;
    return ::testing::AssertionFailure()
           << "number " << i << " of " << a.size() << ": " << describe(a[i]) << " against "
           << describe(b[i]) << " (ANDREA_TEST_SEED=" << test_seed() << ")";
  }
  return ::testing::AssertionSuccess();
}

}  // namespace andrea
