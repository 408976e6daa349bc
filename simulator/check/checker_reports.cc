// What the checker says: the sentences, the threads and lines, and the names of variables.

#include <algorithm>
#include <bit>
#include <string>

#include "simulator/check/checker.h"
#include "simulator/check/index_advice.h"
#include "simulator/check/report_text.h"
#include "simulator/check/source_text.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/shared_memory.h"
#include "simulator/runtime/source_lines.h"

namespace simulator {
namespace {

std::string at_line(const __simulator::__Where& where) {
  if (where.__file == nullptr) return "";
  return std::string(where.__file) + ':' + std::to_string(where.__line);
}

constexpr const char* kFarIndex =
    "The index is far off. Did an int overflow (row * columns beyond 2,147,483,647: use size_t)? "
    "Is it a count of bytes where elements are meant, or was it never set?";

// Bytes before shared memory in which nothing of the program's lies.
constexpr std::uintptr_t kBeforeShared = 256;

const char* made_by(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
      return "device memory";
    case MemoryKind::managed:
      return "managed memory";
    default:
      return "pinned host memory";
  }
}

std::string describe(const Allocation& allocation) {
  const __simulator::__Where& where = allocation.where;
  const std::string amount = count(allocation.bytes, "byte") + " of " + made_by(allocation.kind);
  if (!allocation.name.empty()) return allocation.name + ", " + amount;
  const std::string name = allocated_name(source_text(where.__file, where.__line));
  std::string text = (name.empty() ? "" : name + ", ") + amount;
  const std::string line = at_line(where);
  if (!line.empty()) text += " allocated at " + line;
  return text;
}

std::string element(std::uintptr_t address, std::uintptr_t begin, unsigned bytes) {
  const std::uintptr_t offset = address - begin;
  if (bytes > 1 && offset % bytes == 0) {
    return "element " + std::to_string(offset / bytes) + " (of " + std::to_string(bytes) +
           " bytes each)";
  }
  return "byte " + std::to_string(offset);
}

}  // namespace

std::string Checker::variable_at(std::uintptr_t address, unsigned bytes) const {
  if (device_->contains(address)) {
    const auto allocation = find_allocation(reinterpret_cast<const void*>(address));
    if (!allocation) return "";
    return describe(*allocation) + ", " + element(address, allocation->address, bytes);
  }
  if (variables_->contains(address)) {
    const auto variable = shared_variable(address);
    if (!variable) return "shared memory of no variable";
    return variable->name + ", __shared__, " + count(variable->bytes, "byte") + ", " +
           element(address, variable->address, bytes);
  }
  if (dynamic_->contains(address)) {
    return "dynamic shared memory, " + element(address, dynamic_->begin(), bytes);
  }
  if (globals_->contains(address)) {
    const auto variable = global_variable(address);
    if (!variable) return "";
    return variable->name + ", a global variable of " + count(variable->bytes, "byte") + ", " +
           element(address, variable->address, bytes);
  }
  return "";
}

Party Checker::party_of(const AccessRecord& record, const std::string& what) const {
  const dim3 size = grid_->launch.block;
  const unsigned thread = record.thread();
  Party party;
  party.did = what;
  party.in_kernel = true;
  party.block = grid_->block_index(record.block);
  party.thread = {thread % size.x, thread / size.x % size.y, thread / (size.x * size.y)};
  party.warp = thread / kWarpSize;
  party.lane = thread % kWarpSize;
  party.lines = source_lines(code_of(record.code));
  return party;
}

// Names the variable of the kernel that is nearest: past its end, or before its start.
void Checker::outside_of_shared_variables(const Access& access, Report& report) const {
  const SharedVariable* nearest = nullptr;
  std::uintptr_t distance = ~std::uintptr_t{0};
  for (const SharedVariable& one : shared_) {
    if (!one.usable) continue;
    const bool before = access.address < one.variable.address;
    const std::uintptr_t end = one.variable.address + one.variable.bytes;
    const std::uintptr_t away =
        before ? one.variable.address - access.address : access.address - end;
    if (away < distance || nearest == nullptr) {
      nearest = &one;
      distance = away;
    }
  }
  const char* const verb = access.write ? "writes" : "reads";
  report.kind = "out-of-bounds";
  report.sentence = std::string("the kernel ") + verb + " shared memory outside of any variable";
  if (nearest == nullptr) return;
  const Variable plain = with_plain_name(nearest->variable);
  const bool before = access.address < plain.address;
  report.sentence = std::string("the kernel ") + verb +
                    (before ? " before the start of " : " past the end of ") + plain.name;
  report.variable = plain.name + ", __shared__, " + count(plain.bytes, "byte") + ", " +
                    (before ? count(distance, "byte") + " before its start"
                            : element(access.address, plain.address, access.bytes));
  if (before) report.cause = "The index is negative for this thread.";
}

void Checker::not_usable(Block& block, Region& region, const Access& access) {
  if (index_told_) {  // its index has been reported
    index_told_ = false;
    return;
  }
  // The kernel goes on, for what else there is to find; the host sees the error after it.
  if (!region.is_shared()) late_error_ = cudaErrorIllegalAddress;
  // Looking up lines is dear, and a wrong index may come a million times.
  if (code_out_of_bounds_.count(access.code) != 0) return;
  Party who = party_now(did(access.write, access.bytes));
  who.lines = source_lines(access.code);
  // One wrong index is used for several arrays of one line: the first tells it.
  if (!who.lines.empty()) {
    code_out_of_bounds_.insert(access.code);
    if (!lines_out_of_bounds_.insert(place(who.lines.front())).second) return;
  }
  Report report;
  report.kernel = block.grid().launch.name;
  report.parties.push_back(who);
  report.kind = "out-of-bounds";
  const char* const verb = access.write ? "writes" : "reads";
  report.cause = advice_on_index();
  if (region.kind() == Region::Kind::dynamic_shared) {
    const std::size_t offset = access.address - region.begin();
    report.sentence = std::string("the kernel ") + verb + " dynamic shared memory beyond the " +
                      count(block.grid().launch.shared_bytes, "byte") +
                      " that the launch asked for";
    report.variable = "dynamic shared memory, byte " + std::to_string(offset);
    report.cause =
        "The third number of the launch <<<grid, block, bytes>>> is too small (it counts bytes, "
        "not "
        "elements), or the index is too large.";
  } else if (region.kind() == Region::Kind::shared_variables) {
    outside_of_shared_variables(access, report);
  } else if (region.kind() == Region::Kind::globals) {
    report.kind = "host-pointer";
    report.sentence = std::string("the kernel ") + verb + " a global variable of the host";
    report.variable = variable_at(access.address, access.bytes);
    report.cause =
        "Its address was taken in host code and passed to the kernel. Copy the values to memory "
        "from "
        "cudaMalloc; or declare the variable __device__, use it in the kernel by its name and fill "
        "it by "
        "cudaMemcpyToSymbol (its address is then what cudaGetSymbolAddress gives).";
  } else {
    describe_unusable(report, "the kernel", access.address, access.bytes, access.write,
                      access.bytes);
  }
  publish(report);
}

// What is wrong with using device memory that is nobody's, or no longer.
void Checker::describe_unusable(Report& report, const std::string& who, std::uintptr_t address,
                                std::size_t bytes, bool write, unsigned element_bytes) const {
  const std::string does = who + (write ? " writes " : " reads ");
  const auto allocation = find_allocation(reinterpret_cast<const void*>(address));
  if (allocation && allocation->freed) {
    report.kind = "use-after-free";
    report.sentence = does + "memory that has been freed";
    report.variable = describe(*allocation);
    const std::string line = at_line(allocation->freed_where);  // none where a kernel freed it
    if (!line.empty()) report.variable += ", freed at " + line;
    report.cause = "Free device memory after the last kernel that uses it has finished.";
    return;
  }
  report.kind = "out-of-bounds";
  if (allocation) {
    const std::size_t past = address + bytes - allocation->address;
    report.sentence = does + "past the end of an allocation of " + count(allocation->bytes, "byte");
    report.variable = describe(*allocation) + ", " +
                      element(address, allocation->address, element_bytes) + ", " +
                      count(past - allocation->bytes, "byte") + " past the end";
    const std::uintptr_t end = allocation->address + allocation->bytes;
    report.cause = advice_on_index(allocation->name, allocation->bytes,
                                   std::max(address, end) - allocation->address);
    return;
  }
  report.sentence = does + "device memory that nobody allocated";
  report.cause = kFarIndex;
  const auto next = find_allocation(reinterpret_cast<const void*>(address + 4096 + bytes));
  if (next && !next->freed && next->address > address) {
    report.sentence = does + "before the start of an allocation";
    report.variable =
        describe(*next) + ", " + count(next->address - address, "byte") + " before its start";
    report.cause = "The index is negative for this thread.";
  }
}

void Checker::never_written(Region& region, const Access& access, const AccessRecord& mine,
                            bool wholly) {
  if (const AsyncCopy* const copy = copy_to(access.address)) {
    read_too_early(*copy, access, mine);
    region.set_written(access.address, access.bytes, true);
    return;
  }
  Unwritten& found = unwritten_[mine.code];
  if (found.times++ == 0 || (wholly && !found.wholly)) {
    found.access = access;
    found.reader = mine;
    found.wholly = wholly;
    found.variable = variable_at(access.address, access.bytes);
    if (const Block* const block = current_block()) {
      found.threads = block->thread_count();
      found.returned = state_->returned;
    }
  }
  region.set_written(access.address, access.bytes, true);  // once a place
}

void Checker::report_unwritten() {
  for (const auto& [code, found] : unwritten_) {
    // Where the reader was too early, and not the writer missing, the race tells it better.
    const bool races = std::any_of(races_.begin(), races_.end(), [&](const auto& one) {
      return one.second.example.first.code == code || one.second.example.second.code == code;
    });
    if (races) continue;
    const bool shared =
        variables_->contains(found.access.address) || dynamic_->contains(found.access.address);
    Report report;
    report.kind = "never-written";
    // A part of a vector, or the padding of a struct, may go along unused.
    report.error = found.wholly;
    report.kernel = grid_->launch.name;
    report.times = found.times;
    report.sentence = std::string("the kernel reads ") + (shared ? "shared" : "device") +
                      " memory that nobody has written";
    report.parties.push_back(party_of(found.reader, did(false, found.access.bytes)));
    report.variable = found.variable;
    report.cause =
        shared && found.returned > 0
            ? "Shared memory holds garbage when a block begins, and " +
                  std::to_string(found.returned) + " of the block's " +
                  count(found.threads, "thread") +
                  " had returned before a barrier that the others passed: what they should have "
                  "written is missing. A thread "
                  "without work must not return before a barrier, or before a sum that all threads "
                  "of the block build: it brings a neutral value, 0 for a sum."
        : shared
            ? "Shared memory holds garbage when a block begins. A part of the array was not filled "
              "(the places of the last tile for which there is no number? those at its edges?), is "
              "read elsewhere than where it was written (are its indices exchanged?), or is read "
              "before the threads that fill it have done so."
            : "cudaMalloc gives memory with garbage in it. A copy to the device is missing or too "
              "short, or the kernel that should have written it did not reach this element.";
    publish(report);
  }
  unwritten_.clear();
}

// A lane that takes its value from one that does not take part gets anything. It may not use it.
void Checker::shuffle_sources(Block& block, unsigned first_thread, std::uint32_t present) {
  for (std::uint32_t rest = present; rest != 0; rest &= rest - 1) {
    const unsigned thread = first_thread + static_cast<unsigned>(std::countr_zero(rest));
    const ThreadRecord& record = block.record(thread);
    if (present >> record.source & 1) continue;
    if (!shuffles_told_.emplace(record.where.__file, record.where.__line).second) continue;
    const std::string source = "lane " + std::to_string(record.source);
    const bool named = record.mask >> record.source & 1;
    const unsigned threads = block.thread_count();
    const bool exists = !named || first_thread + record.source < threads;
    Report report;
    report.kind = "shuffle-source";
    report.error = false;
    report.kernel = grid_->launch.name;
    report.sentence = "a lane asks by a shuffle for the value of " + source + ", which " +
                      (!exists ? "the warp does not have"
                       : named ? "has left the kernel"
                               : "is not in the mask") +
                      ": what it gets is undefined";
    report.parties.push_back(party(block, thread, "asks for the value of " + source, record.where));
    if (exists) {
      report.cause =
          "That does no harm as long as the lane does not use what it gets: see that it is added "
          "only where the source lane exists, or let all lanes of the warp take part, those "
          "without work with a neutral value. If the line is in a function, as that of a warp's "
          "sum is, see that all lanes call it, outside of any branch.";
    } else {
      report.cause = "The block has " + count(threads, "thread") + ", which is " +
                     count(threads / kWarpSize, "whole warp") + " and " +
                     count(threads % kWarpSize, "lane") +
                     " of one more. What adds up over a warp, or over a block's warps, counts on "
                     "whole ones: launch a multiple of 32 threads.";
    }
    publish(report);
  }
}

void Checker::misaligned(Block& block, const Access& access) {
  Report report;
  report.kind = "misaligned";
  report.sentence = "the kernel uses " + count(access.bytes, "byte") +
                    " at an address that is no multiple of " + std::to_string(access.bytes);
  Party who = party_now(did(access.write, access.bytes));
  who.lines = source_lines(access.code);
  report.parties.push_back(who);
  report.variable = variable_at(access.address, access.bytes);
  report.cause =
      "A pointer was cast to a larger type, such as float4: its address, and the start of every "
      "row, "
      "must be a multiple of that type's size.";
  end_launch(block, cudaErrorMisalignedAddress, report);
}

void Checker::outside_all_regions(Block& block, const Access& access) {
  if (is_runtime_variable(reinterpret_cast<const void*>(access.address))) return;
  const Fiber* const fiber = block.current_fiber();
  const auto inside = [&](const void* begin, const void* end) {
    return access.address >= reinterpret_cast<std::uintptr_t>(begin) &&
           access.address < reinterpret_cast<std::uintptr_t>(end);
  };
  if (fiber != nullptr && inside(fiber->stack_bottom(), fiber->stack_top())) return;
  const KernelLaunch& launch = block.grid().launch;
  if (inside(launch.arguments,
             static_cast<const char*>(launch.arguments) + launch.argument_bytes)) {
    return;
  }
  if (in_loaded_object(access.address)) return;  // constants and tables of libraries
  const auto registered = find_allocation(reinterpret_cast<const void*>(access.address));
  if (registered) return;

  Report report;
  Party who = party_now(did(access.write, access.bytes));
  who.lines = source_lines(access.code);
  const char* const verb = access.write ? "writes" : "reads";
  if (access.address < 65536) {
    report.kind = "null-pointer";
    report.sentence = std::string("the kernel ") + verb + " through a null pointer";
    report.cause = fault::kCauseOfNull;
  } else if (device_->in_tables(access.address)) {
    // They lie next to all device memory, where an index that is far off leads.
    report.kind = "out-of-bounds";
    report.sentence =
        std::string("the kernel ") + verb + " at an address far from all device memory";
    report.cause = kFarIndex;
  } else if (block.stack_of_another_thread(reinterpret_cast<const void*>(access.address))) {
    report.kind = "local-memory";
    report.sentence = std::string("the kernel ") + verb + " a local variable of another thread";
    report.cause =
        "Each thread's local variables are its own. Pass values between threads in shared memory "
        "or by a shuffle.";
  } else if (variables_->begin() - access.address <= kBeforeShared) {
    outside_of_shared_variables(access, report);
  } else if (dynamic_->begin() - access.address <= kBeforeShared) {
    report.kind = "out-of-bounds";
    report.sentence =
        std::string("the kernel ") + verb + " before the start of dynamic shared memory";
    report.variable = "dynamic shared memory, " +
                      count(dynamic_->begin() - access.address, "byte") + " before its start";
    report.cause = "The index is negative for this thread.";
  } else {
    report.kind = "host-pointer";
    report.sentence = std::string("the kernel ") + verb + " memory of the host";
    report.cause =
        "A kernel can use device memory alone: allocate with cudaMalloc, copy with cudaMemcpy, and "
        "pass the device pointer to the kernel.";
  }
  report.parties.push_back(who);
  end_launch(block, cudaErrorIllegalAddress, report);
}

void Checker::host_range(std::uintptr_t address, std::size_t bytes, bool write,
                         std::uintptr_t code) {
  constexpr std::size_t kMost = 1u << 30;
  if (bytes > 0) {
    host_access({address, static_cast<unsigned>(std::min(bytes, kMost)), write, 0, true, code});
  }
}

void Checker::host_access(const Access& access) {
  if (!device_->contains(access.address)) {
    for (const Variable& variable : managed_variables_) {
      if (access.address - variable.address < variable.bytes) host_meets_work(*globals_, access);
    }
    return;
  }
  const auto allocation = find_allocation(reinterpret_cast<const void*>(access.address));
  if (allocation && !allocation->freed && allocation->kind != MemoryKind::device) {
    return host_meets_work(*device_, access);
  }
  if (!host_code_told_.insert(access.code).second) return;
  Report report;
  report.kind = "device-pointer";
  report.sentence =
      std::string("host code ") + (access.write ? "writes" : "reads") +
      (allocation && allocation->freed ? " memory that has been freed" : " device memory");
  Party who = party_now(did(access.write, access.bytes));
  who.lines = source_lines(access.code);
  report.parties.push_back(who);
  report.variable = variable_at(access.address, access.bytes);
  report.cause =
      "On a GPU the host cannot follow a device pointer. Copy the bytes with cudaMemcpy, or "
      "allocate with cudaMallocManaged.";
  publish(report);
}

// The kernel gets nowhere. What it looks at is what it waits for, if it waits. Not at an access to
// the thread's own variables.
void Checker::stop_at(Block& block, const Access& access) {
  if (region_of(access.address) == nullptr) return;
  const bool is_atomic = (access.flags & AccessRecord::kAtomic) != 0;
  const bool is_volatile = (access.flags & AccessRecord::kVolatile) != 0;
  const std::vector<SourceLine> lines = source_lines(access.code);
  if (!is_atomic && (!is_volatile || access.write)) fault::no_progress(block, "is running", lines);
  fault::no_progress(block,
                     is_atomic ? "looks at it by an atomic again and again"
                               : "looks at the volatile again and again",
                     lines, variable_at(access.address, access.bytes));
}

// In managed or pinned memory: has the host waited for what the device did there?
void Checker::host_meets_work(Region& region, const Access& access) {
  if ((access.flags & (AccessRecord::kAtomic | AccessRecord::kVolatile)) != 0) {
    if (!access.write) unfinished_work_.seen_by_host(region, access.address);
    return;
  }
  const auto work =
      unfinished_work_.met_by_host(region, access.address, access.bytes, access.write);
  if (!work) return;
  const auto allocation = find_allocation(reinterpret_cast<const void*>(access.address));
  const bool pinned = allocation && allocation->kind == MemoryKind::pinned;
  const std::string who = work->is_kernel ? "a kernel" : work->name;
  Report report;
  report.kind = "host-race";
  if (work->is_kernel) report.kernel = work->name;
  report.sentence = std::string("host code ") + (access.write ? "writes " : "reads ") +
                    (pinned ? "pinned" : "managed") + " memory that " + who + " may still be " +
                    (work->is_write ? "writing" : "reading") + ": nothing has waited for it";
  Party device = party_now(work->is_kernel ? "launches the kernel" : "calls " + work->name);
  if (!work->line.file.empty()) device.lines.push_back(work->line);
  Party host = party_now(did(access.write, access.bytes));
  host.lines = source_lines(access.code);
  report.parties = {device, host};
  report.variable = variable_at(work->address, std::min(access.bytes, 4u));
  report.cause =
      std::string(work->is_kernel ? "A launch returns before its kernel has run"
                                  : work->name + " returns before its work is done") +
      ". A cudaDeviceSynchronize() is missing between the two lines (or a "
      "cudaStreamSynchronize of the work's stream, or a cudaEventSynchronize of an event recorded "
      "after it).";
  publish(report);
}

void Checker::index_outside(const std::string& array_type, const std::string& index,
                            SourceLine line, unsigned column) {
  const std::string name = indexed_name(source_text(line.file.c_str(), line.line), column);
  Report report;
  report.kind = "out-of-bounds";
  report.sentence = "index " + index + " is outside of " + (name.empty() ? "" : name + ", ") +
                    "an array of type " + array_type;
  if (!name.empty()) report.variable = name + ", " + array_type;
  Party who = party_now("uses it");
  who.lines.push_back(std::move(line));
  if (grid_ != nullptr) report.kernel = grid_->launch.name;
  report.parties.push_back(who);
  report.cause =
      "The first element has index 0, the last one the size less 1. Compute which values the index "
      "takes in the first and the last thread, and in the last round of a loop.";
  publish(report);
  index_told_ = true;
}

}  // namespace simulator
