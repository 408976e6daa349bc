#include "tests/harness/exercise/profile_log.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace andrea {
namespace {

using nlohmann::json;
using simulator::AccessKind;

constexpr std::size_t kMostLines = 3;  // that cost more than they need

const char* name_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::global_load:
      return "load from global memory";
    case AccessKind::global_store:
      return "store to global memory";
    case AccessKind::global_atomic:
      return "atomic on global memory";
    case AccessKind::shared_load:
      return "load from shared memory";
    case AccessKind::shared_store:
      return "store to shared memory";
    case AccessKind::shared_atomic:
      return "atomic on shared memory";
    default:
      return "";
  }
}

bool is_shared(AccessKind kind) {
  return kind == AccessKind::shared_load || kind == AccessKind::shared_store ||
         kind == AccessKind::shared_atomic;
}

// By the names that tools/course/runner/profile.cc knows.
json numbers_of(const simulator::KernelCounters& all) {
  const auto& load = all.of(AccessKind::global_load);
  const auto& store = all.of(AccessKind::global_store);
  std::uint64_t shared = 0, wavefronts = 0, least = 0;
  for (const AccessKind kind :
       {AccessKind::shared_load, AccessKind::shared_store, AccessKind::shared_atomic}) {
    shared += all.of(kind).lanes;
    wavefronts += all.of(kind).wavefronts;
    least += all.of(kind).least_wavefronts;
  }
  return {{"threads", all.threads},
          {"barriers", all.barriers},
          {"collectives", all.collectives},
          {"global_loads", load.lanes},
          {"load_requests", load.requests},
          {"load_sectors", load.sectors},
          {"least_load_sectors", load.least_sectors},
          {"global_stores", store.lanes},
          {"store_sectors", store.sectors},
          {"least_store_sectors", store.least_sectors},
          {"global_atomics", all.of(AccessKind::global_atomic).lanes},
          {"bytes_moved", all.bytes_moved()},
          {"least_bytes_moved", all.least_bytes_moved()},
          {"shared_accesses", shared},
          {"wavefronts", wavefronts},
          {"bank_conflicts", wavefronts - std::min(wavefronts, least)}};
}

// Those that waste most first.
json lines_of(const std::vector<simulator::KernelCounters>& kernels) {
  std::vector<json> lines;
  for (const simulator::KernelCounters& kernel : kernels) {
    for (const simulator::LineCounters& line : kernel.lines) {
      if (*name_of(line.kind) == '\0' || line.line == 0) continue;
      const bool shared = is_shared(line.kind);
      const auto& counters = line.counters;
      const std::uint64_t cost = shared ? counters.wavefronts : counters.sectors;
      const std::uint64_t least = shared ? counters.least_wavefronts : counters.least_sectors;
      if (cost <= least) continue;
      const std::string file = line.file.substr(line.file.rfind('/') + 1);
      lines.push_back({{"place", file + ":" + std::to_string(line.line)},
                       {"kind", name_of(line.kind)},
                       {"cost", cost},
                       {"least", least}});
    }
  }
  const auto waste = [](const json& line) {
    return line["cost"].get<std::uint64_t>() - line["least"].get<std::uint64_t>();
  };
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const json& a, const json& b) { return waste(a) > waste(b); });
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  return lines;
}

}  // namespace

bool profiles() { return std::getenv("ANDREA_EXERCISE_PROFILE") != nullptr; }

void log_profile(const std::string& exercise, const std::string& sizes,
                 const simulator::Counters& counters) {
  if (!counters.counted() || counters.kernels().empty()) return;
  std::vector<std::string> kernels;
  for (const simulator::KernelCounters& kernel : counters.kernels()) kernels.push_back(kernel.name);
  const json line = {{"exercise", exercise},
                     {"sizes", sizes},
                     {"kernels", kernels},
                     {"numbers", numbers_of(counters.total())},
                     {"lines", lines_of(counters.kernels())}};
  std::ofstream(std::getenv("ANDREA_EXERCISE_PROFILE"), std::ios::app) << line.dump() << "\n";
}

std::vector<std::vector<int>> sizes_to_run(const std::vector<std::string>& names,
                                           const std::vector<std::vector<int>>& sizes) {
  const char* const given = std::getenv("ANDREA_EXERCISE_SIZES");
  if (given == nullptr) return sizes;
  std::map<std::string, int> numbers;
  std::istringstream parts(given);
  for (std::string part; std::getline(parts >> std::ws, part, ',');) {
    const std::size_t equals = part.rfind('=');
    if (equals == std::string::npos) return sizes;
    numbers[part.substr(0, equals)] = std::atoi(part.c_str() + equals + 1);
  }
  std::vector<int> one;
  for (const std::string& name : names) {
    const auto found = numbers.find(name);
    if (found == numbers.end()) return sizes;
    one.push_back(found->second);
  }
  return {one};
}

}  // namespace andrea
