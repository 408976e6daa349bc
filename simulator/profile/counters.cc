#include <cuda_runtime_api.h>
#include <simulator/counters.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "simulator/profile/profile.h"
#include "simulator/profile/profiler.h"
#include "simulator/profile/program_profile.h"

namespace simulator {
namespace {

std::unique_ptr<Profile>& counting() {
  static auto* const kCounting = new std::unique_ptr<Profile>;
  return *kCounting;
}

void wait_for_kernels() {
  (void)cudaDeviceSynchronize();  // its errors are those of earlier calls, and stay to be asked for
}

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

void start_counting() {
  wait_for_kernels();
  std::unique_ptr<Profile>& profile = counting();
  if (profile != nullptr && can_count()) profiler().add_no_more_to(profile.get());
  profile = std::make_unique<Profile>();
  if (can_count()) profiler().add_to(profile.get());
}

Counters stop_counting() {
  const std::unique_ptr<Profile> profile = std::move(counting());
  if (profile == nullptr) {
    throw std::logic_error("stop_counting was called, but not start_counting before it");
  }
  wait_for_kernels();
  if (!can_count()) return Counters();
  profiler().add_no_more_to(profile.get());
  return Counters(profile->kernels());
}

}  // namespace simulator
