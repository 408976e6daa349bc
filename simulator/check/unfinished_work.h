// File: unfinished_work.h
//
// What the device may still be doing when the host goes on. A launch returns before its kernel has
// run, and so do cudaMemcpyAsync and cudaMemsetAsync; who then looks into managed or pinned memory
// without a synchronisation finds anything. Under the simulator all work is done at once, so the
// values are there; this keeps for each word which kernel, copy or fill used it last, to be asked
// whether the host has waited for that.

#ifndef ANDREA_SIMULATOR_CHECK_UNFINISHED_WORK_H_
#define ANDREA_SIMULATOR_CHECK_UNFINISHED_WORK_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "simulator/check/region.h"
#include "simulator/runtime/report.h"
#include "simulator/runtime/stream.h"

namespace simulator {

class UnfinishedWork {
 public:
  // What one work does to one piece of memory.
  struct Piece {
    Operation operation;         // which of a stream's works
    std::string name;            // of the kernel, or of the call
    bool is_kernel = false;      // else a copy, a fill or a library's function
    SourceLine line;             // where the host asked for it
    bool is_write = false;       // else it reads
    std::uintptr_t address = 0;  // the first word that both use
  };

  // What `used` tells of from now on is done by the operation that runs on this OS thread.
  void begin(const std::string& name, bool is_kernel, const SourceLine& line);

  // A kernel has touched these bytes.
  void used(Region& region, std::uintptr_t address, std::size_t bytes, bool write) {
    for (std::uintptr_t at = address / 4 * 4; at < address + bytes; at += 4) {
      (write ? region.device_use(at).writer : region.device_use(at).reader) = current_;
    }
  }

  // The work that the host meets there and has not waited for; each piece is told once.
  std::optional<Piece> met_by_host(Region& region, std::uintptr_t address, std::size_t bytes,
                                   bool write);
  // The host has looked by a volatile or an atomic, which is how it may wait as well.
  void seen_by_host(Region& region, std::uintptr_t address);

 private:
  Piece* find(std::uint32_t number);
  void forget(std::uint32_t number);
  static bool is_finished(const Piece& piece);

  std::mutex mutex_;
  std::deque<Piece> pieces_;  // by their numbers; those that are missing are finished
  std::uint32_t current_ = 0;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_CHECK_UNFINISHED_WORK_H_
