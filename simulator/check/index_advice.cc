#include "simulator/check/index_advice.h"

#include <cctype>

namespace simulator {
namespace {

// A formula with more parts helps nobody.
constexpr std::size_t kMostAxes = 4;

// Of an array that has no rows.
constexpr const char* kOfOneIndex =
    "The index is too large for this thread: compare it with the size of the array before it is "
    "used, and see whether the grid has more threads than there are elements.";

// "[2, 0]" for the element with that number, counted row by row. The first index may be too large.
std::string place_of(std::size_t element, const std::vector<std::size_t>& sizes) {
  std::string text;
  for (std::size_t axis = sizes.size(); axis-- > 1;) {
    text = ", " + std::to_string(element % sizes[axis]) + text;
    element /= sizes[axis];
  }
  return "[" + std::to_string(element) + text + "]";
}

// "[i, j, k] lies at (i * 2 + j) * 4 + k"
std::string formula_of(const std::vector<std::size_t>& sizes) {
  std::string place = "[i", number = "i";
  for (std::size_t axis = 1; axis < sizes.size(); ++axis) {
    const char letter = static_cast<char>('i' + axis);
    place += std::string(", ") + letter;
    if (axis > 1) number = "(" + number + ")";
    number += " * " + std::to_string(sizes[axis]) + " + " + letter;
  }
  return place + "] lies at " + number;
}

}  // namespace

std::vector<std::size_t> sizes_in_name(const std::string& name) {
  const std::size_t open = name.rfind('[');
  if (open == std::string::npos || !name.ends_with(']')) return {};
  std::vector<std::size_t> sizes;
  std::size_t at = open + 1;
  for (;;) {
    std::size_t digits = at;
    while (std::isdigit(static_cast<unsigned char>(name[digits])) != 0) ++digits;
    if (digits == at || digits - at > 9) return {};
    sizes.push_back(std::stoul(name.substr(at, digits - at)));
    if (digits + 1 == name.size()) return sizes;
    if (name.compare(digits, 3, " x ") != 0) return {};
    at = digits + 3;
  }
}

std::string advice_on_index() {
  return "The index is too large for this thread. Either the thread has no work: compare the index "
         "with the size of the array before it is used, and see whether the grid has more threads "
         "than there are elements. Or the index is put together wrongly: in row * length + column "
         "the length is the number of columns of this very array, and row and column stand in its "
         "order.";
}

std::string advice_on_index(const std::string& name, std::size_t bytes, std::size_t offset) {
  const std::vector<std::size_t> sizes = sizes_in_name(name);
  std::size_t elements = 1;
  for (const std::size_t size : sizes) elements *= size;
  if (sizes.size() == 1) return kOfOneIndex;
  if (sizes.empty() || sizes.size() > kMostAxes || elements == 0 || bytes % elements != 0 ||
      bytes < elements) {
    return advice_on_index();
  }
  const std::size_t element = offset / (bytes / elements);
  return "Read as rows, that is the element " + place_of(element, sizes) +
         ", and the last one is " + place_of(elements - 1, sizes) +
         ". Which one is this thread to use? If it is one of the array's, the index is put "
         "together wrongly, with the length of other rows or its parts exchanged: " +
         formula_of(sizes) +
         ". If it is none, a loop goes too far, or the thread has no work: compare with the sizes "
         "before the element is used, and see whether the grid has more threads than there are "
         "elements.";
}

}  // namespace simulator
