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
  if (operation != nullptr && operation->where.__file != nullptr) {
    party.lines.push_back({operation->where.__file, operation->where.__line, ""});
  }
  return party;
}

std::string call_of(const char* by, const MemoryUse& use) {
  return std::string("calls ") + by +
         (use.name == nullptr ? "" : std::string(", in its parameter ") + use.name);
}

}  // namespace

void Checker::memory_used(const char* by, const std::vector<MemoryUse>& uses) {
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
    report.cause =
        "The pointer was never set, or cudaMalloc failed and its error was not looked at.";
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

  const Operation* const operation = running_operation();
  if (operation == nullptr || !streams_made()) return;
  StreamUse stream_use;
  stream_use.by = std::make_shared<const StreamUse::By>(StreamUse::By{*operation, by, false});
  stream_use.parameter = use.name;
  stream_use.writes = write;
  note_stream_use(address, end - address, stream_use);
}

}  // namespace simulator
