#include "simulator/runtime/host_copies.h"

#include <atomic>
#include <mutex>
#include <utility>

#include "simulator/runtime/copy.h"

namespace simulator {
namespace {

struct Kept {
  std::atomic<bool> wanted{false};
  std::mutex mutex;
  std::vector<HostCopy> copies;
};

Kept& kept() {
  static Kept* const kKept = new Kept;
  return *kKept;
}

}  // namespace

void keep_host_copies() { kept().wanted = true; }

std::vector<HostCopy> host_copies() {
  kept().wanted = false;
  const std::lock_guard<std::mutex> lock(kept().mutex);
  return std::exchange(kept().copies, {});
}

void note_host_copy(const CopyWork& work) {
  if (!kept().wanted) return;
  if (place_of(work.from).side == Side::device || place_of(work.to).side == Side::host) return;
  const std::lock_guard<std::mutex> lock(kept().mutex);
  for (std::size_t slice = 0; slice < work.shape.depth; ++slice) {
    for (std::size_t row = 0; row < work.shape.height; ++row) {
      const char* const from = static_cast<const char*>(work.from) + slice * work.from_pitch.slice +
                               row * work.from_pitch.row;
      const char* const to =
          static_cast<const char*>(work.to) + slice * work.to_pitch.slice + row * work.to_pitch.row;
      kept().copies.push_back({from, to, std::string(from, work.shape.width)});
    }
  }
}

}  // namespace simulator
