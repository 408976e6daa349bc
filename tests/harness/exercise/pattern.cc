#include "tests/harness/exercise/pattern.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/number_text.h"
#include "tests/harness/marked_nan.h"

namespace andrea {
namespace {

// The elements that a predicate picks lie in first .. last along `axis`.
struct Range {
  int first, last;
};

template <typename Predicate>
Range range_along(const Tensor& tensor, std::size_t axis, const Predicate& picks) {
  Range range{tensor.axes[axis].size, -1};
  for (std::size_t i = 0; i < tensor.actual.size(); ++i) {
    if (!picks(i)) continue;
    const int index = index_along(tensor.axes, axis, i);
    range.first = std::min(range.first, index);
    range.last = std::max(range.last, index);
  }
  return range;
}

// Whether it is to be as it was before, as the columns behind a matrix in a wider buffer are.
bool stays(const Tensor& tensor, std::size_t i) {
  return !tensor.before.empty() && static_cast<double>(tensor.before[i]) == tensor.expected[i];
}

// Whether it is the place that makes a predicate pick: it picks nine tenths of what lies there.
template <typename Predicate>
bool picks_most(const Tensor& tensor, std::size_t axis, const Range& range,
                const Predicate& picks) {
  std::size_t there = 0, picked = 0;
  for (std::size_t i = 0; i < tensor.actual.size(); ++i) {
    const int index = index_along(tensor.axes, axis, i);
    if (index < range.first || index > range.last || stays(tensor, i)) continue;
    ++there;
    picked += picks(i);
  }
  return 10 * picked >= 9 * there;
}

std::string never_written(const Tensor& tensor) {
  const auto unwritten = [&](std::size_t i) { return is_never_written(tensor.actual[i]); };
  std::size_t count = 0;
  for (std::size_t i = 0; i < tensor.actual.size(); ++i) count += unwritten(i);
  if (count == 0) return "";
  for (std::size_t axis = 0; axis < tensor.axes.size(); ++axis) {
    const Range range = range_along(tensor, axis, unwritten);
    const int last = tensor.axes[axis].size - 1;
    if (!picks_most(tensor, axis, range, unwritten)) continue;
    if (range.first == range.last && last > 0) {
      return message("pattern.never_at", {{"axis", tensor.axes[axis].name},
                                          {"at", std::to_string(range.first)},
                                          {"last", std::to_string(last)}});
    }
    if (range.first == 0) continue;
    return message("pattern.never_from", {{"axis", tensor.axes[axis].name},
                                          {"from", std::to_string(range.first)},
                                          {"size", std::to_string(tensor.axes[axis].size)}});
  }
  return message("pattern.never_some", {{"count", std::to_string(count)}});
}

bool from_unwritten(const float& number) {
  return std::bit_cast<std::uint32_t>(number) == (kNeverWritten | kQuietBit);
}

// Whether `holds` is true of every number; an infinity, and what stays, must be right.
template <typename Predicate>
bool all(const Tensor& tensor, const Predicate& holds) {
  for (std::size_t i = 0; i < tensor.actual.size(); ++i) {
    const bool counts = std::isfinite(tensor.expected[i]) && !stays(tensor, i);
    if (!(counts ? holds(i) : !tensor.wrong(i))) return false;
  }
  return true;
}

// What was there before, counted in where it should not be, or left out.
std::string of_what_was_before(const Tensor& tensor) {
  if (tensor.before.empty()) return "";
  const auto off_by = [&](double factor) {
    return all(tensor, [&](std::size_t i) {
      const double value = tensor.expected[i] + factor * static_cast<double>(tensor.before[i]);
      return std::abs(static_cast<double>(tensor.actual[i]) - value) <= 2 * tensor.tolerance;
    });
  };
  if (tensor.overwritten) return off_by(1) ? message("pattern.added") : "";
  if (off_by(-1)) return message("pattern.assigned");
  return off_by(1) ? message("pattern.doubled_before") : "";
}

// A factor that says nothing.
bool is_nearly_one(double ratio) { return std::abs(ratio - 1) < 5e-3; }

// The place of the largest number that should be there, of those that a predicate picks; the first
// place of all where it picks none.
template <typename Predicate>
std::size_t largest_of(const Tensor& tensor, const Predicate& picks) {
  std::size_t largest = 0;
  double of_largest = -1;
  for (std::size_t i = 0; i < tensor.expected.size(); ++i) {
    const double size = std::abs(tensor.expected[i]);
    if (size <= of_largest || !picks(i)) continue;
    largest = i;
    of_largest = size;
  }
  return largest;
}

// One factor, or one difference, between all that is and all that should be.
std::string constant_error(const Tensor& tensor) {
  if (tensor.actual.size() < 3) return "";
  const std::size_t largest = largest_of(tensor, [&](std::size_t i) {
    return std::isfinite(tensor.expected[i]) && !stays(tensor, i);
  });
  const double ratio = static_cast<double>(tensor.actual[largest]) / tensor.expected[largest];
  const double difference = static_cast<double>(tensor.actual[largest]) - tensor.expected[largest];
  const auto off = [&](std::size_t i, double value) {
    return std::abs(static_cast<double>(tensor.actual[i]) - value);
  };
  if (ratio != 0 && std::isfinite(ratio) && all(tensor, [&](std::size_t i) {
        return off(i, ratio * tensor.expected[i]) <= 4 * (1 + std::abs(ratio)) * tensor.tolerance;
      })) {
    if (std::abs(ratio + 1) < 1e-3) return message("pattern.negative");
    if (is_nearly_one(ratio)) return message("pattern.nearly");
    return message("pattern.ratio", {{"ratio", number_text(ratio, 4)}});
  }
  if (std::isfinite(difference) && all(tensor, [&](std::size_t i) {
        return off(i, tensor.expected[i] + difference) <= 4 * tensor.tolerance;
      })) {
    return message("pattern.shifted", {{"difference", number_text(difference, 4)}});
  }
  return "";
}

std::string other_order(const Tensor& tensor) {
  std::vector<double> is(tensor.actual.begin(), tensor.actual.end());
  if (is.size() < 3 || std::any_of(is.begin(), is.end(), [](double x) { return std::isnan(x); })) {
    return "";
  }
  std::vector<double> should = tensor.expected;
  std::sort(is.begin(), is.end());
  std::sort(should.begin(), should.end());
  for (std::size_t i = 0; i < is.size(); ++i) {
    if (!(distance(is[i], should[i]) <= tensor.tolerance)) return "";
  }
  return message("pattern.places");
}

// One number everywhere, or all along an axis, where the right ones vary.
std::string no_variation(const Tensor& tensor) {
  const std::size_t count = tensor.actual.size();
  const auto vary = [&](std::size_t a, std::size_t b) {
    return distance(tensor.expected[a], tensor.expected[b]) > 4 * tensor.tolerance;
  };
  const auto same = [&](std::size_t a, std::size_t b) {
    return distance(static_cast<double>(tensor.actual[a]), static_cast<double>(tensor.actual[b])) <=
           tensor.tolerance;
  };
  // Whether each number is that of `first(i)`, though not all of them should be.
  const auto repeats = [&](const auto& first) {
    bool should_vary = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (stays(tensor, i)) continue;
      if (!same(i, first(i))) return false;
      should_vary = should_vary || vary(i, first(i));
    }
    return should_vary;
  };
  if (count < 3) return "";
  if (repeats([](std::size_t) { return std::size_t{0}; })) {
    return message("pattern.constant",
                   {{"number", number_text(static_cast<double>(tensor.actual[0]), 7)}});
  }
  std::size_t stride = 1;
  for (std::size_t axis = tensor.axes.size(); axis-- > 0;) {
    const auto size = static_cast<std::size_t>(tensor.axes[axis].size);
    if (size > 1 && count > size &&
        repeats([&](std::size_t i) { return i - i / stride % size * stride; })) {
      return message("pattern.same_along", {{"axis", tensor.axes[axis].name}});
    }
    stride *= size;
  }
  return "";
}

// A factor, or a difference, for each index along an axis, of at least three numbers each.
struct Errors {
  bool hold = true;
  double least = HUGE_VAL, most = -HUGE_VAL;
  void join(double error) {
    hold = hold && std::isfinite(error);
    least = std::min(least, error), most = std::max(most, error);
  }
};

std::string error_along_an_axis(const Tensor& tensor) {
  for (std::size_t axis = 0; axis < tensor.axes.size(); ++axis) {
    const auto size = static_cast<std::size_t>(tensor.axes[axis].size);
    if (size < 2 || tensor.actual.size() < 3 * size) continue;
    // The largest number that should be there, of each index.
    std::vector<std::size_t> largest(size, tensor.actual.size());
    const auto index = [&](std::size_t i) {
      return static_cast<std::size_t>(index_along(tensor.axes, axis, i));
    };
    for (std::size_t i = 0; i < tensor.actual.size(); ++i) {
      if (!std::isfinite(tensor.expected[i]) || stays(tensor, i)) continue;
      std::size_t& at = largest[index(i)];
      if (at == tensor.actual.size() ||
          std::abs(tensor.expected[i]) > std::abs(tensor.expected[at])) {
        at = i;
      }
    }
    std::vector<double> ratios(size, 1), differences(size, 0);
    Errors by_ratio, by_difference;
    for (std::size_t k = 0; k < size; ++k) {
      if (largest[k] == tensor.actual.size()) continue;
      const double is = static_cast<double>(tensor.actual[largest[k]]);
      const double should = tensor.expected[largest[k]];
      ratios[k] = is / should, differences[k] = is - should;
      by_ratio.join(ratios[k]), by_difference.join(differences[k]);
    }
    const auto fit = [&](std::size_t i, double value, double rounding) {
      return std::abs(static_cast<double>(tensor.actual[i]) - value) <= rounding * tensor.tolerance;
    };
    const auto said = [&](const char* name, const Errors& errors) {
      return message(name, {{"axis", tensor.axes[axis].name},
                            {"from", number_text(errors.least, 4)},
                            {"to", number_text(errors.most, 4)}});
    };
    if (by_ratio.hold && all(tensor, [&](std::size_t i) {
          const double ratio = ratios[index(i)];
          return fit(i, ratio * tensor.expected[i], 4 * (1 + std::abs(ratio)));
        })) {
      return said("pattern.factor_along", by_ratio);
    }
    if (by_difference.hold && all(tensor, [&](std::size_t i) {
          return fit(i, tensor.expected[i] + differences[index(i)], 4);
        })) {
      return said("pattern.difference_along", by_difference);
    }
  }
  return "";
}

std::string not_finite(const Tensor& tensor) {
  for (std::size_t i = 0; i < tensor.actual.size(); ++i) {
    if (tensor.wrong(i) && std::isfinite(tensor.actual[i])) return "";
  }
  const bool has_masks = std::any_of(tensor.expected.begin(), tensor.expected.end(),
                                     [](double number) { return number == -HUGE_VAL; });
  bool is_masked = true;
  for (std::size_t i = 0; i < tensor.actual.size(); ++i) {
    is_masked = is_masked && (!tensor.wrong(i) || tensor.actual[i] == -HUGE_VALF);
  }
  return message(has_masks && is_masked ? "pattern.masked" : "pattern.not_finite");
}

// The factor between the wrong numbers, three at least, and what they should be; 0 where there is
// none.
double ratio_of_wrong(const Tensor& tensor) {
  const std::size_t largest = largest_of(tensor, [&](std::size_t i) { return tensor.wrong(i); });
  const double ratio = static_cast<double>(tensor.actual[largest]) / tensor.expected[largest];
  if (!std::isfinite(ratio) || tensor.wrong_count() < 3) return 0;
  for (std::size_t i = 0; i < tensor.actual.size(); ++i) {
    if (!tensor.wrong(i)) continue;
    const double off = std::abs(static_cast<double>(tensor.actual[i]) - ratio * tensor.expected[i]);
    if (!(off <= 4 * (1 + std::abs(ratio)) * tensor.tolerance)) return 0;
  }
  return is_nearly_one(ratio) ? 0 : ratio;
}

std::string of_ratio(const std::string& name, double ratio) {
  return message(name, {{"ratio", number_text(ratio, 4)}});
}

// The wrong ones lie on one side of an axis. The last axis that says so is the narrowest.
std::string part_of_an_axis(const Tensor& tensor) {
  for (std::size_t axis = tensor.axes.size(); axis-- > 0;) {
    const std::string& name = tensor.axes[axis].name;
    const auto is_wrong = [&](std::size_t i) { return tensor.wrong(i); };
    const Range range = range_along(tensor, axis, is_wrong);
    const Range written =
        range_along(tensor, axis, [&](std::size_t i) { return !stays(tensor, i); });
    const int size = std::max(range.last, written.last) + 1;
    if (range.first <= written.first && range.last >= written.last) continue;
    if (!picks_most(tensor, axis, range, is_wrong)) continue;
    if (range.first == range.last) {
      return message("pattern.only_at", {{"axis", name},
                                         {"at", std::to_string(range.first)},
                                         {"last", std::to_string(size - 1)}});
    }
    if (range.last == size - 1) {
      return message(
          "pattern.only_from",
          {{"axis", name}, {"from", std::to_string(range.first)}, {"size", std::to_string(size)}});
    }
    if (range.first == 0) {
      return message(
          "pattern.only_below",
          {{"axis", name}, {"to", std::to_string(range.last + 1)}, {"size", std::to_string(size)}});
    }
  }
  return "";
}

}  // namespace

std::string pattern_of(const Tensor& tensor) {
  const std::string holes = never_written(tensor);
  if (!holes.empty()) return holes;
  if (std::any_of(tensor.actual.begin(), tensor.actual.end(), from_unwritten)) {
    return message("pattern.nan_unwritten");
  }
  if (std::any_of(tensor.actual.begin(), tensor.actual.end(), is_from_stale)) {
    return message("pattern.from_stale");
  }
  for (const auto& look : {of_what_was_before, constant_error, other_order, no_variation}) {
    const std::string found = look(tensor);
    if (!found.empty()) return found;
  }
  const std::string part = part_of_an_axis(tensor);
  const double ratio = ratio_of_wrong(tensor);
  if (!part.empty()) return ratio == 0 ? part : part + " " + of_ratio("pattern.ratio_there", ratio);
  if (ratio != 0) return of_ratio("pattern.ratio_of_wrong", ratio);
  for (const auto& look : {error_along_an_axis, not_finite}) {
    const std::string found = look(tensor);
    if (!found.empty()) return found;
  }
  return "";
}

std::string pattern_line(const Tensor& tensor, bool is_shown) {
  const std::string pattern = pattern_of(tensor);
  if (pattern.empty()) return "";
  if (is_shown) return message("harness.pattern", {{"pattern", pattern}}) + "\n";
  return message(
             "harness.pattern_elsewhere",
             {{"output", tensor.name}, {"sizes", sizes_of(tensor.axes)}, {"pattern", pattern}}) +
         "\n";
}

}  // namespace andrea
