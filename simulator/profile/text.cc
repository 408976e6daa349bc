#include "simulator/profile/text.h"

#include <cstdio>

namespace simulator::text {
namespace {

bool is_shared(AccessKind kind) {
  return kind == AccessKind::shared_load || kind == AccessKind::shared_store ||
         kind == AccessKind::shared_atomic;
}

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace

std::string number(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string fixed(double value, int decimals) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
  return buffer;
}

std::string bytes(std::uint64_t value) {
  if (value < 1024) return counted(value, "byte");
  static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(value) / 1024;
  std::size_t unit = 0;
  for (; amount >= 1024 && unit < 3; ++unit) amount /= 1024;
  return fixed(amount, 2) + ' ' + kUnits[unit];
}

std::string percent(double share) { return fixed(100 * share, 1) + " %"; }

std::string size(const dim3& size) {
  std::string text = std::to_string(size.x);
  if (size.y != 1 || size.z != 1) text += " x " + std::to_string(size.y);
  if (size.z != 1) text += " x " + std::to_string(size.z);
  return text;
}

std::string counted(std::uint64_t value, const std::string& thing) {
  const bool es = thing.ends_with("ch") || thing.ends_with("s");
  return number(value) + ' ' + thing + (value == 1 ? "" : es ? "es" : "s");
}

std::string name(AccessKind kind) {
  switch (kind) {
    case AccessKind::global_load:
      return "global load";
    case AccessKind::global_store:
      return "global store";
    case AccessKind::global_atomic:
      return "global atomic";
    case AccessKind::shared_load:
      return "shared load";
    case AccessKind::shared_store:
      return "shared store";
    case AccessKind::shared_atomic:
      return "shared atomic";
    case AccessKind::variable_load:
      return "variable load";
    case AccessKind::local:
      return "local memory";
    case AccessKind::execution:
      return "code executed";
  }
  return "";
}

std::string unit(AccessKind kind) {
  if (kind >= AccessKind::variable_load) return "";
  return is_shared(kind) ? "wavefronts" : "sectors";
}

double per_request(AccessKind kind, const AccessCounters& counters) {
  return ratio(is_shared(kind) ? counters.wavefronts : counters.sectors, counters.requests);
}

double least_per_request(AccessKind kind, const AccessCounters& counters) {
  return ratio(is_shared(kind) ? counters.least_wavefronts : counters.least_sectors,
               counters.requests);
}

double lanes_per_request(const AccessCounters& counters) {
  return ratio(counters.lanes, counters.requests);
}

std::string place(const std::string& file, int line) {
  return line == 0 ? "(line unknown)" : file + ':' + std::to_string(line);
}

}  // namespace simulator::text
