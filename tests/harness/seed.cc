#include "tests/harness/seed.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace andrea {
namespace {

std::uint64_t choose_seed() {
  if (const char* given = std::getenv("ANDREA_TEST_SEED")) return std::stoull(given);
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  // Short enough to be typed; the clock stands in where random_device always says the same.
  return (std::random_device()() ^ static_cast<std::uint64_t>(now)) % 1'000'000'000;
}

}  // namespace

std::uint64_t test_seed() {
  static const std::uint64_t seed = [] {
    const std::uint64_t chosen = choose_seed();
    std::printf("Inputs from ANDREA_TEST_SEED=%llu\n", static_cast<unsigned long long>(chosen));
    return chosen;
  }();
  return seed;
}

}  // namespace andrea
