// File: tensor.h
//
// One output of an exercise: what the student's code left there and what should be there.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_TENSOR_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_TENSOR_H_

#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace andrea {

// One index of a tensor.
struct Axis {
  std::string name;  // "t"; empty where there is one number alone
  int size;          // how many values it has
};
using Axes = std::vector<Axis>;  // the outermost first

// The product of the sizes.
inline std::size_t count_of(const Axes& axes) {
  std::size_t count = 1;
  for (const Axis& axis : axes) count *= static_cast<std::size_t>(axis.size);
  return count;
}

// The index along `axis` of the element at `position`.
inline int index_along(const Axes& axes, std::size_t axis, std::size_t position) {
  for (std::size_t i = axes.size(); --i > axis;) {
    position /= static_cast<std::size_t>(axes[i].size);
  }
  return static_cast<int>(position % static_cast<std::size_t>(axes[axis].size));
}

// "[2 x 33]"
inline std::string sizes_of(const Axes& axes) {
  std::string text = "[";
  for (const Axis& axis : axes) {
    text += (text.size() > 1 ? " x " : "") + std::to_string(axis.size);
  }
  return text + "]";
}

// How far apart two numbers are: an infinity and itself not at all.
inline double distance(double a, double b) { return a == b ? 0 : std::abs(a - b); }

// A tensor within a flat buffer.
struct TensorPart {
  std::string name;    // "blocks[1].norm2_gain"
  Axes axes;           // the outermost first
  std::size_t offset;  // in numbers
};

// An output with what it should hold.
struct Tensor {
  std::string name;                 // "scores"
  Axes axes;                        // the outermost first
  std::vector<float> actual;        // row-major, as the kernel left it
  std::vector<float> before;        // what it held at first; empty: never written
  std::vector<double> expected;     // by the reference, in double
  double tolerance = 0;             // largest difference that rounding explains
  bool overwritten = true;          // else what it held before counts
  std::vector<TensorPart> parts{};  // of a flat buffer, in the order in which they are told

  // Whether a number is further off than rounding explains; NaN is.
  bool wrong(std::size_t at) const {
    return !(distance(static_cast<double>(actual[at]), expected[at]) <= tolerance);
  }
  // How many are.
  std::size_t wrong_count() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) count += wrong(i);
    return count;
  }

  // A part as a tensor of its own: "gradients.blocks[1].norm2_gain".
  Tensor part(const TensorPart& one) const {
    const auto cut = [&](const auto& all) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(one.offset);
      return std::decay_t<decltype(all)>(begin,
                                         begin + static_cast<std::ptrdiff_t>(count_of(one.axes)));
    };
    Tensor result{name + "." + one.name, one.axes,  cut(actual), {},
                  cut(expected),         tolerance, overwritten};
    if (!before.empty()) result.before = cut(before);
    return result;
  }

  // What is told of a flat buffer: its first part that has a wrong number. Else, and where only
  // what lies between the parts is wrong, the whole.
  Tensor told() const {
    for (const TensorPart& one : parts) {
      Tensor found = part(one);
      if (found.wrong_count() > 0) return found;
    }
    return *this;
  }
};

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_TENSOR_H_
