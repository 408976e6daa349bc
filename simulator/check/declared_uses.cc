// What the runtime's own copies and the functions of libraries say that they read and write, held
// against the same rules as a kernel's accesses.

#include <simulator/library_call.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/check/checker.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/stream.h"

namespace simulator {
namespace {

// The host, on the line where it asked for what runs, if that is known.
Party caller(const std::string& did) {
  Party party = party_now(did);
  const Operation* const operation = running_operation();
  if (operation == nullptr) return party;
  if (operation->where.__file != nullptr) {
    party.lines.push_back({operation->where.__file, operation->where.__line, ""});
  } else {
    party.lines = nearest_cuda_line(operation->calls);
  }
  return party;
}

std::string call_of(const char* by, const MemoryUse& use) {
  return std::string("calls ") + by +
         (use.name == nullptr ? "" : std::string(", in its parameter ") + use.name);
}

}  // namespace

// Of what the runtime or a library does for a call of the host.
void Checker::begin_work_of_host(const char* by) {
  if (!host_may_look_) return;
  const Operation* const running = running_operation();
  SourceLine line;
  if (running != nullptr && *running->function != '\0') by = running->function;
  if (running != nullptr && running->where.__file != nullptr) {
    line = {running->where.__file, running->where.__line, ""};
  }
  unfinished_work_.begin(by, false, line);
}

// Between two places of the device what nobody has written stays so: who uses it there is told.
void Checker::memory_copied(const char* by, const std::vector<MemoryUse>& reads,
                            const std::vector<MemoryUse>& writes) {
  const auto start = [](const MemoryUse& use, std::size_t row) {
    return reinterpret_cast<std::uintptr_t>(use.pointer) + row * use.stride_bytes;
  };
  if (reads.empty() || !device_->contains(start(reads.front(), 0)) ||
      !device_->contains(start(writes.front(), 0))) {
    return Observer::memory_copied(by, reads, writes);
  }
  begin_work_of_host(by);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    for (std::size_t row = 0; row < reads[i].rows; ++row) {
      const std::uintptr_t from = start(reads[i], row);
      const std::uintptr_t to = start(writes[i], row);
      device_->copy_written(to, *device_, from, reads[i].bytes);
      note_host_use(by, reads[i], from, reads[i].bytes, false);
      note_host_use(by, writes[i], to, reads[i].bytes, true);
    }
  }
}

void Checker::memory_used(const char* by, const std::vector<MemoryUse>& uses) {
  begin_work_of_host(by);
  // All is read before anything is written: an output may lie where an input does.
  for (const bool write : {false, true}) {
    for (const MemoryUse& use : uses) {
      if (use.bytes == 0 || use.kind == (write ? MemoryUse::reads : MemoryUse::writes)) continue;
      for (std::size_t row = 0; row < use.rows; ++row) {
        const auto address = reinterpret_cast<std::uintptr_t>(use.pointer) + row * use.stride_bytes;
        declared_use(by, use, address, write);
      }
    }
  }
}

void Checker::declared_use(const char* by, const MemoryUse& use, std::uintptr_t address,
                           bool write) {
  Report report;
  if (use.pointer == nullptr) {
    report.kind = "null-pointer";
    report.sentence = std::string(by) + (write ? " writes" : " reads") + " through a null pointer";
    report.parties.push_back(caller(call_of(by, use)));
    report.cause = fault::kCauseOfNull;
    publish(report);
    return;
  }
  if (!device_->contains(address)) return;

  // The runtime has looked at the sizes of its copies itself; who names no parameter only tells
  // what has happened.
  const bool copy = std::string_view(by).substr(0, 6) == "cudaMe";
  const std::uintptr_t end = device_->first_not_usable(address, use.bytes);
  if (!copy && use.name != nullptr && end < address + use.bytes) {
    describe_unusable(report, by, end, address + use.bytes - end, write);
    report.parties.push_back(caller(call_of(by, use)));
    if (report.kind == "out-of-bounds") {
      report.cause =
          "Compare the sizes that the call is given with the size of the memory: elements are "
          "meant, not bytes. Is a leading dimension, or a buffer for scratch or saved values, that "
          "of another shape?";
    }
    publish(report);
    return;
  }
  const std::uintptr_t missing = write ? end : device_->first_not_written(address, end - address);
  if (missing < end) {
    report.kind = "never-written";
    report.error = !copy;
    report.sentence = std::string(by) + " reads bytes that nobody has written";
    report.parties.push_back(caller(copy ? "calls it" : call_of(by, use)));
    report.variable = variable_at(missing, 1);
    report.cause = copy ? "The kernel that should have written them did not reach them all, or "
                          "more is copied than it writes."
                        : "cudaMalloc gives memory with garbage in it. A copy to the device is "
                          "missing or too short, or what should have written it has not run yet.";
    publish(report);
    if (!copy) device_->set_written(address, end - address, true);
  }
  if (write) device_->set_written(address, end - address, true);

  note_host_use(by, use, address, end - address, write);
}

// For those who may use the memory at the same time: the host, and other streams.
void Checker::note_host_use(const char* by, const MemoryUse& use, std::uintptr_t address,
                            std::size_t bytes, bool write) {
  if (host_may_look_) unfinished_work_.used(*device_, address, bytes, write);
  const Operation* const operation = running_operation();
  if (operation == nullptr || !streams_made()) return;
  StreamUse stream_use;
  stream_use.by = std::make_shared<const StreamUse::By>(StreamUse::By{*operation, by, false});
  stream_use.parameter = use.name;
  stream_use.writes = write;
  note_stream_use(address, bytes, stream_use);
}

}  // namespace simulator
