// What a program does with numbers that have been counted.

#include <simulator/counters.h>

#include <stdexcept>

namespace simulator {
namespace {

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

}  // namespace

AccessCounters& AccessCounters::operator+=(const AccessCounters& other) {
  requests += other.requests;
  lanes += other.lanes;
  warp_lanes += other.warp_lanes;
  sectors += other.sectors;
  least_sectors += other.least_sectors;
  wavefronts += other.wavefronts;
  least_wavefronts += other.least_wavefronts;
  turns += other.turns;
  return *this;
}

std::uint64_t KernelCounters::bytes_moved() const {
  return kSectorBytes *
         (of(AccessKind::global_load).sectors + of(AccessKind::global_store).sectors +
          of(AccessKind::global_atomic).sectors);
}

std::uint64_t KernelCounters::least_bytes_moved() const {
  return kSectorBytes * (distinct_sectors_read + distinct_sectors_written);
}

const std::vector<KernelCounters>& Counters::kernels() const& {
  if (!counted_) throw std::logic_error(kNotCounted);
  return kernels_;
}

const KernelCounters& Counters::kernel(const std::string& name) const& {
  std::string names;
  for (const KernelCounters& kernel : kernels()) {
    if (without_spaces(kernel.name) == without_spaces(name)) return kernel;
    names += (names.empty() ? "" : ", ") + kernel.name;
  }
  throw std::out_of_range("no kernel " + name + " was launched while kernels were counted, but " +
                          (names.empty() ? "none at all" : names));
}

KernelCounters Counters::total() const {
  KernelCounters sum;
  for (const KernelCounters& kernel : kernels()) {
    sum.launches += kernel.launches;
    sum.unfinished_launches += kernel.unfinished_launches;
    sum.blocks += kernel.blocks;
    sum.threads += kernel.threads;
    sum.barriers += kernel.barriers;
    sum.barriers_of_fewer += kernel.barriers_of_fewer;
    sum.collectives += kernel.collectives;
    sum.distinct_sectors_read += kernel.distinct_sectors_read;
    sum.distinct_sectors_written += kernel.distinct_sectors_written;
    sum.ungrouped += kernel.ungrouped;
    for (std::size_t i = 0; i < kAccessKinds; ++i) sum.accesses[i] += kernel.accesses[i];
  }
  return sum;
}

}  // namespace simulator
