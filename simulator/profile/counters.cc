#include <cuda_runtime_api.h>
#include <simulator/counters.h>

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

}  // namespace

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
