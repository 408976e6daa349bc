#include "simulator/runtime/options.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "simulator/runtime/fault.h"

namespace simulator {
namespace {

std::uint64_t number(const char* variable, std::uint64_t otherwise, std::uint64_t most) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  const std::string_view view = text;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  if (error != std::errc() || end != view.data() + view.size() || value > most) {
    fatal(std::string(variable) + " is '" + text + "'; it must be a whole number of at most " +
          std::to_string(most) + ".");
  }
  return value;
}

// Rounded up.
std::uint64_t machine_gib() {
  const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                     static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return (bytes >> 30) + 1;
}

Options read_options() {
  Options options;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  options.workers = std::max(1u, static_cast<unsigned>(number("SIMULATOR_WORKERS", cores, 1024)));
  options.seed = number("SIMULATOR_SEED", 0, ~std::uint64_t{0});
  options.timeout_seconds = static_cast<unsigned>(number("SIMULATOR_TIMEOUT", 30, 1000000));
  const char* const json = std::getenv("SIMULATOR_JSON");
  if (json != nullptr) options.json = json;
  return options;
}

}  // namespace

const Options& options() {
  static const Options kOptions = read_options();
  return kOptions;
}

std::uint64_t memory_gib() {
  static const std::uint64_t kGib = number("SIMULATOR_MEMORY", machine_gib(), 16384);
  return kGib;
}

}  // namespace simulator
