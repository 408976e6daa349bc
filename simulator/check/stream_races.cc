// Races between operations: kernels, copies and functions of libraries in two streams.

#include <memory>
#include <string>
#include <vector>

#include "simulator/check/checker.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/source_lines.h"
#include "simulator/runtime/stream.h"

namespace simulator {
namespace {

// Words side by side that one instruction used become one use.
class Run {
 public:
  template <typename Note>
  void extend(std::uintptr_t address, unsigned bytes, const AccessRecord& record, Note note) {
    constexpr std::uint32_t kEither = AccessRecord::kAtomic | AccessRecord::kVolatile;
    if (end_ != address || record.code != record_.code ||
        record.has(kEither) != record_.has(kEither)) {
      end(note);
      begin_ = address;
      record_ = record;
    }
    end_ = address + bytes;
  }

  template <typename Note>
  void end(Note note) {
    constexpr std::uint32_t kEither = AccessRecord::kAtomic | AccessRecord::kVolatile;
    if (end_ > begin_) note(begin_, end_ - begin_, record_.code, record_.has(kEither));
    end_ = begin_ = 0;
  }

 private:
  std::uintptr_t begin_ = 0;
  std::uintptr_t end_ = 0;
  AccessRecord record_;
};

}  // namespace

void Checker::note_stream_uses_of_grid() {
  const Operation* const operation = running_operation();
  if (operation == nullptr || !streams_made()) return;
  StreamUse use;
  use.by = std::make_shared<const StreamUse::By>(
      StreamUse::By{*operation, grid_->launch.name, /*is_kernel=*/true});
  const auto note = [&](bool writes) {
    return [this, &use, writes](std::uintptr_t address, std::size_t bytes, std::uint32_t code,
                                bool atomic) {
      use.code = code;
      use.writes = writes;
      use.atomic = atomic;
      note_stream_use(address, bytes, use);
    };
  };
  Run reads;
  Run writes;
  device_->each_use([&](std::uintptr_t address, unsigned bytes, const WordRecords& word) {
    for (const AccessRecord& read : word.reads) {
      if (!read.there()) continue;
      reads.extend(address, bytes, read, note(false));
      break;
    }
    const AccessRecord& write = word.plain_write.there() ? word.plain_write : word.write;
    if (write.there()) writes.extend(address, bytes, write, note(true));
  });
  reads.end(note(false));
  writes.end(note(true));
}

void Checker::note_stream_use(std::uintptr_t address, std::size_t bytes, const StreamUse& use) {
  stream_uses_.add(address, bytes, use, [&](const StreamUse& earlier, std::uintptr_t at) {
    report_stream_race(earlier, use, at);
  });
}

void Checker::report_stream_race(const StreamUse& earlier, const StreamUse& later,
                                 std::uintptr_t address) {
  // What is missing is missing between the two, however many buffers they share.
  std::string key;
  for (const StreamUse* const use : {&earlier, &later}) {
    const __simulator::__Where& where = use->by->operation.where;
    key += use->by->name + '|' + (where.__file == nullptr ? "" : where.__file) + ':' +
           std::to_string(where.__line) + '|';
  }
  if (!stream_races_told_.insert(key).second) return;

  Report report;
  report.kind = "race";
  report.sentence = "race on global memory: nothing orders " + earlier.by->name + " and " +
                    later.by->name + ", in two streams" +
                    (earlier.writes && later.writes ? ", that write the same place"
                                                    : ", of which one writes what the other reads");
  for (const StreamUse* const use : {&earlier, &later}) {
    const StreamUse::By& by = *use->by;
    Party party =
        party_now((by.is_kernel ? "launches " : "calls ") + by.name + ", which " +
                  (use->writes ? "writes it" : "reads it") +
                  (use->parameter == nullptr ? "" : std::string(" as its ") + use->parameter));
    if (use->code != 0) party.lines = source_lines(code_of(use->code));
    const __simulator::__Where& where = by.operation.where;
    if (where.__file != nullptr) {
      party.lines.push_back({where.__file, where.__line, ""});
    } else {
      party.lines = nearest_cuda_line(by.operation.calls);
    }
    report.parties.push_back(party);
  }
  report.variable = variable_at(address, 4);
  report.cause =
      "Work in two streams runs in any order, whichever was asked for first. Put both into one "
      "stream; or record an event behind the first (cudaEventRecord) and let the other stream wait "
      "for it (cudaStreamWaitEvent). A stream made with cudaStreamNonBlocking does not wait for "
      "the "
      "default stream either.";
  publish(report);
}

}  // namespace simulator
