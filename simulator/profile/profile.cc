#include "simulator/profile/profile.h"

#include <algorithm>

#include "simulator/runtime/device.h"
#include "simulator/runtime/kernel_symbol.h"
#include "simulator/runtime/source_lines.h"

namespace simulator {
namespace {

// By its symbol, since a launch may be written through a pointer; as written where there is none.
std::string name_of(const KernelLaunch& launch) {
  std::string name;
  if (launch.function != nullptr) name = kernel_symbol(launch.function).name;
  if (name.empty()) name = launch.name;
  const std::string nobody = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(nobody)) != std::string::npos;)
    name.erase(at, nobody.size());
  return name;
}

void describe(const Grid& grid, KernelCounters* sums) {
  const KernelLaunch& launch = grid.launch;
  sums->grid = launch.grid;
  sums->block = launch.block;
  sums->shared_bytes = launch.shared_bytes;
  if (launch.function != nullptr) {
    sums->shared_bytes += kernel_symbol(launch.function).static_shared_bytes;
  }
  const Gpu& device = gpu();
  sums->resident_blocks = resident_blocks(device, grid.threads_in_block, sums->shared_bytes);
  const unsigned warps = (grid.threads_in_block + device.warp_size - 1) / device.warp_size;
  sums->occupancy = static_cast<double>(sums->resident_blocks) * warps * device.warp_size /
                    device.threads_on_multiprocessor;
}

bool alike(const LineCounters& line, const InstructionCounts& counts) {
  const AccessCounters& a = line.counters;
  const AccessCounters& b = counts.counters;
  return line.kind == counts.kind && line.bytes == counts.bytes &&
         a.sectors * b.requests == b.sectors * a.requests &&
         a.least_sectors * b.requests == b.least_sectors * a.requests &&
         a.wavefronts * b.requests == b.wavefronts * a.requests &&
         a.lanes * b.requests == b.lanes * a.requests;
}

bool in_library(const SourceLine& line) {
  return line.file.rfind("/usr/", 0) == 0 ||
         line.file.find("simulator/include/") != std::string::npos;
}

std::vector<LineCounters> by_line(const std::vector<InstructionCounts>& instructions) {
  std::vector<LineCounters> lines;
  for (const InstructionCounts& counts : instructions) {
    const std::vector<SourceLine> places = source_lines(counts.code);
    const auto own = std::find_if_not(places.begin(), places.end(), &in_library);
    // A step of the launch, or of a function of the C++ library.
    if (counts.kind == AccessKind::execution && own == places.end()) continue;
    const SourceLine place = own != places.end() ? *own
                             : places.empty()    ? SourceLine{}
                                                 : places.front();
    auto found = std::find_if(lines.begin(), lines.end(), [&](const LineCounters& line) {
      return line.line == place.line && line.file == place.file && alike(line, counts);
    });
    if (found == lines.end()) {
      found = lines.insert(lines.end(), {place.file,
                                         place.line,
                                         counts.kind,
                                         counts.bytes,
                                         {},
                                         counts.stride.value,
                                         counts.local_bytes});
    }
    found->counters += counts.counters;
    found->local_bytes = std::max(found->local_bytes, counts.local_bytes);
  }
  std::stable_sort(lines.begin(), lines.end(), [](const LineCounters& a, const LineCounters& b) {
    return cost(a.counters) != cost(b.counters) ? cost(a.counters) > cost(b.counters)
                                                : a.counters.requests > b.counters.requests;
  });
  return lines;
}

}  // namespace

std::uint64_t cost(const KernelCounters& kernel) {
  std::uint64_t sum = 0;
  for (const AccessCounters& counters : kernel.accesses) sum += cost(counters);
  return sum;
}

void Profile::add(const Grid& grid, const LaunchCounts& counts) {
  const std::string name = name_of(grid.launch);
  const auto [found, added] = index_.emplace(name, entries_.size());
  if (added) entries_.emplace_back();
  Entry& entry = entries_[found->second];
  KernelCounters& sums = entry.sums;
  const std::uint64_t threads = grid.blocks * grid.threads_in_block;
  sums.name = name;
  sums.launches += 1;
  sums.unfinished_launches += grid.error.load() != cudaSuccess;
  sums.blocks += grid.blocks;
  sums.threads += threads;
  sums.barriers += counts.barriers;
  sums.barriers_of_fewer += counts.barriers_of_fewer;
  sums.collectives += counts.collectives;
  sums.ungrouped += counts.ungrouped;
  sums.distinct_sectors_read += counts.distinct_sectors_read;
  sums.distinct_sectors_written += counts.distinct_sectors_written;
  if (threads > entry.most_threads) {
    entry.most_threads = threads;
    describe(grid, &sums);
  }
  for (const InstructionCounts& one : counts.instructions) {
    sums.accesses[static_cast<std::size_t>(one.kind)] += one.counters;
    InstructionCounts& all = entry.instructions[{one.code, one.kind, one.bytes}];
    all.code = one.code;
    all.kind = one.kind;
    all.bytes = one.bytes;
    all.counters += one.counters;
    all.stride.add(one.stride.value, one.stride.votes);
    all.local_bytes = std::max(all.local_bytes, one.local_bytes);
  }
}

std::vector<KernelCounters> Profile::kernels() const {
  std::vector<KernelCounters> kernels;
  for (const Entry& entry : entries_) {
    std::vector<InstructionCounts> instructions;
    for (const auto& [key, counts] : entry.instructions) instructions.push_back(counts);
    kernels.push_back(entry.sums);
    kernels.back().lines = by_line(instructions);
    AccessCounters executed;
    for (const LineCounters& line : kernels.back().lines) {
      if (line.kind == AccessKind::execution) executed += line.counters;
    }
    kernels.back().accesses[static_cast<std::size_t>(AccessKind::execution)] = executed;
  }
  return kernels;
}

}  // namespace simulator
