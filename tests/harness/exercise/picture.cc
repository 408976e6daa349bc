#include "tests/harness/exercise/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/number_text.h"
#include "tests/harness/marked_nan.h"

namespace andrea {
namespace {

constexpr std::size_t kPairs = 8;
constexpr int kDigits = 7;
constexpr int kRows = 16;
constexpr int kColumns = 64;

// "n=", or nothing for an axis that has no name.
std::string label_of(const Axis& axis) { return axis.name.empty() ? "" : axis.name + "="; }

std::string place_of(const Tensor& tensor, std::size_t position) {
  std::string text = tensor.name + "[";
  for (std::size_t axis = 0; axis < tensor.axes.size(); ++axis) {
    text += (axis > 0 ? ", " : "") + label_of(tensor.axes[axis]) +
            std::to_string(index_along(tensor.axes, axis, position));
  }
  return text + "]";
}

char mark(const Tensor& tensor, std::size_t position) {
  const float& number = tensor.actual[position];
  if (!tensor.wrong(position)) return '.';
  if (is_never_written(number)) return '?';
  return std::isnan(number) ? 'N' : '#';
}

std::size_t first_wrong(const Tensor& tensor) {
  std::size_t position = 0;
  while (!tensor.wrong(position)) ++position;
  return position;
}

// How many of the parts of `slice` numbers have a wrong one.
int wrong_slices(const Tensor& tensor, std::size_t slice) {
  int count = 0;
  for (std::size_t base = 0; base < tensor.actual.size(); base += slice) {
    std::size_t i = base;
    while (i < base + slice && !tensor.wrong(i)) ++i;
    count += i < base + slice;
  }
  return count;
}

// Where a window of `length` begins on an axis of `size`, so that it holds `at`.
int window_start(int at, int length, int size) {
  return std::clamp(at - length / 2, 0, std::max(0, size - length));
}

}  // namespace

std::string pairs_of(const Tensor& tensor) {
  std::vector<std::array<std::string, 3>> rows = {
      {"", message("harness.yours"), message("harness.expected")}};
  for (std::size_t i = 0; i < tensor.actual.size() && rows.size() <= kPairs; ++i) {
    if (!tensor.wrong(i)) continue;
    const float& number = tensor.actual[i];
    rows.push_back(
        {place_of(tensor, i),
         std::isnan(number) ? describe(number) : number_text(static_cast<double>(number), kDigits),
         number_text(tensor.expected[i], kDigits)});
  }
  std::size_t place_width = 0, number_width = 0;
  for (const auto& [place, yours, expected] : rows) {
    place_width = std::max(place_width, place.size());
    number_width = std::max(number_width, yours.size());
  }
  std::string text;
  for (const auto& [place, yours, expected] : rows) {
    text += "  " + place + std::string(place_width - place.size() + 3, ' ') + yours +
            std::string(number_width - yours.size(), ' ') + " | " + expected + '\n';
  }
  if (tensor.wrong_count() >= rows.size()) text += "  ...\n";
  return text;
}

std::string drawing_of(const Tensor& tensor) {
  const Axes& axes = tensor.axes;
  const int width = axes.back().size;
  const int height = axes.size() > 1 ? axes[axes.size() - 2].size : 1;
  const std::size_t slice = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  if (slice < 2) return "";
  const std::size_t wrong = first_wrong(tensor);
  const std::size_t base = wrong / slice * slice;
  const int column = static_cast<int>(wrong % slice) % width;
  const int row = static_cast<int>(wrong % slice) / width;
  const int left = window_start(column, kColumns, width);
  const int top = window_start(row, kRows, height);
  const int right = std::min(left + kColumns, width), bottom = std::min(top + kRows, height);

  std::string title = "  " + tensor.name + "[";
  for (std::size_t axis = 0; axis + 2 < axes.size(); ++axis) {
    title += label_of(axes[axis]) + std::to_string(index_along(axes, axis, wrong)) + ", ";
  }
  const auto part = [](const Axis& axis, int from, int to) {
    return label_of(axis) + std::to_string(from) +
           (to - 1 > from ? ".." + std::to_string(to - 1) : "");
  };
  if (axes.size() > 1) title += part(axes[axes.size() - 2], top, bottom) + " down, ";
  title += part(axes.back(), left, right) + (axes.size() > 1 ? " across]" : "]");
  std::string text = title + '\n';
  for (int y = top; y < bottom; ++y) {
    text += "    ";
    for (int x = left; x < right; ++x) {
      text += mark(tensor, base + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                               static_cast<std::size_t>(x));
    }
    text += '\n';
  }
  const int slices = wrong_slices(tensor, slice);
  if (slices > 1) {
    text += "  " + message("harness.first_slice", {{"count", std::to_string(slices)}}) + '\n';
  }
  return text;
}

std::string first_wrong_place(const Tensor& tensor) {
  return place_of(tensor, first_wrong(tensor));
}

std::string picture_of(const Tensor& tensor) {
  const std::string drawing = drawing_of(tensor);
  return pairs_of(tensor) + "\n" +
         (drawing.empty() ? "" : drawing + "  " + message("harness.holes") + "\n\n");
}

}  // namespace andrea
