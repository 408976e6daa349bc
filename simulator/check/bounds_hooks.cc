// The functions that GCC's instrumentation calls when an index lies outside of its array's type,
// and before an integer is divided by zero.

#include <cstdint>
#include <string>

#include "simulator/check/checker.h"
#include "simulator/runtime/fault.h"

namespace {

// The layouts are fixed by the compiler.
struct Location {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};

struct Type {
  std::uint16_t kind;  // 0: an integer
  std::uint16_t info;  // bit 0: signed; above it the logarithm of the width
  char name[1];
};

struct OutOfBounds {
  Location location;
  const Type* array;
  const Type* index;
};

struct Overflow {
  Location location;
  const Type* type;
};

std::string number(const Type& type, std::uintptr_t value) {
  const unsigned bits = 1u << (type.info >> 1);
  if (type.kind != 0 || bits > 64) return "?";
  if ((type.info & 1) == 0) return std::to_string(value);
  const unsigned shift = 64 - bits;
  return std::to_string(static_cast<std::int64_t>(value << shift) >> shift);
}

std::string name(const Type& type) {
  std::string text = type.name;  // in quotes: 'float [16]'
  if (text.size() > 2 && text.front() == '\'') text = text.substr(1, text.size() - 2);
  return text;
}

}  // namespace

extern "C" {

void simulator_ubsan_handle_out_of_bounds(OutOfBounds* data, std::uintptr_t index) {
  if (simulator::checker() == nullptr) return;
  simulator::checker()->index_outside(
      name(*data->array), number(*data->index, index),
      {data->location.file, static_cast<int>(data->location.line), ""}, data->location.column);
}

void simulator_ubsan_handle_divrem_overflow(Overflow* data, std::uintptr_t, std::uintptr_t) {
  simulator::Report report;
  report.kind = "division-by-zero";
  report.sentence = "an integer is divided by zero (or the least integer by -1)";
  simulator::Party who = simulator::party_now("divides");
  who.lines.push_back({data->location.file, static_cast<int>(data->location.line), ""});
  report.parties.push_back(who);
  report.cause = "On a GPU nothing stops, and the result is undefined: test the divisor first.";
  simulator::Block* const block = simulator::current_block();
  if (block != nullptr) simulator::end_launch(*block, cudaErrorLaunchFailure, report);
  simulator::publish(report);
}

void simulator_ubsan_handle_out_of_bounds_abort(OutOfBounds* data, std::uintptr_t index) {
  simulator_ubsan_handle_out_of_bounds(data, index);
}
void simulator_ubsan_handle_divrem_overflow_abort(Overflow* data, std::uintptr_t a,
                                                  std::uintptr_t b) {
  simulator_ubsan_handle_divrem_overflow(data, a, b);
}

}  // extern "C"
