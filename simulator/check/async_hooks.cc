// What the checker does about barrier objects and asynchronous copies.

#include <algorithm>

#include "simulator/check/checker.h"
#include "simulator/check/plain_access.h"
#include "simulator/runtime/fault.h"

namespace simulator {
namespace {

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

void Checker::arrivals_begin(Block&, const void* barrier) { state_->meetings.erase(barrier); }

void Checker::arrives(Block& block, const void* barrier) {
  if (pending_.word_count > 0) settle();
  state_->clocks.arrive(block.current_thread(), state_->meetings[barrier].gathering);
}

void Checker::phase_completes(Block&, const void* barrier) {
  BarrierObject& it = state_->meetings[barrier];
  it.last = std::make_shared<const Meeting>(std::move(it.gathering));
  it.gathering = {};
}

void Checker::passes(Block& block, const void* barrier) {
  if (pending_.word_count > 0) settle();
  const MeetingPointer& last = state_->meetings[barrier].last;
  if (last != nullptr) state_->clocks.pass(block.current_thread(), last);
}

template <typename Use>
void Checker::each_word(std::uintptr_t address, std::size_t bytes, Use use) {
  Region* const region = region_of(address);
  if (region == nullptr) return;
  for (std::uintptr_t at = address; at < address + bytes && region->contains(at);) {
    WordRecords& word = region->word(at);
    const bool whole = at % 4 == 0 && address + bytes - at >= 4 && !Region::is_split(word);
    use(at, whole ? word : region->split(word, at % 4));
    at += whole ? 4 : 1;
  }
}

void Checker::copy_begins(Block&, const AsyncCopy& copy) {
  pieces(address_of(copy.from), copy.source_bytes, [&](std::uintptr_t at, unsigned bytes) {
    access({at, bytes, false, 0, true, copy.code});
  });
  write_by(copy);
  OnItsWay on_its_way;
  on_its_way.copy = copy;
  each_word(address_of(copy.from), copy.source_bytes, [&](std::uintptr_t, WordRecords& word) {
    on_its_way.source_writes.push_back(word.write);
  });
  Region* const region = region_of(address_of(copy.to));
  if (region != nullptr) region->set_written(address_of(copy.to), copy.bytes, false);
  state_->copies.push_back(std::move(on_its_way));
}

void Checker::copy_completes(Block&, const AsyncCopy& copy) {
  if (pending_.word_count > 0) settle();
  std::vector<OnItsWay>& all = state_->copies;
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const OnItsWay& one) { return one.copy.number == copy.number; });
  if (found == all.end()) return;
  const OnItsWay on_its_way = std::move(*found);
  all.erase(found);

  const auto same = [](const AccessRecord& a, const AccessRecord& b) {
    return a.code == b.code && a.block == b.block && a.clock == b.clock &&
           a.thread_and_flags == b.thread_and_flags;
  };
  std::size_t i = 0;
  each_word(address_of(copy.from), copy.source_bytes, [&](std::uintptr_t at, WordRecords& word) {
    if (i >= on_its_way.source_writes.size()) return;
    const AccessRecord& before = on_its_way.source_writes[i++];
    if (word.write.there() && !same(word.write, before))
      changed_too_early(copy, at, word.write, true);
  });
  each_word(address_of(copy.to), copy.bytes, [&](std::uintptr_t at, WordRecords& word) {
    const bool mine = word.write.code == number_of(copy.code) && word.write.thread() == copy.thread;
    if (word.write.there() && !mine) changed_too_early(copy, at, word.write, false);
  });

  Region* const region = region_of(address_of(copy.to));
  if (region != nullptr) region->set_written(address_of(copy.to), copy.bytes, true);
  // Only now, at the wait, is the write done that others must be ordered with. Who waits at a
  // barrier object is ordered with the arrival, and so with the beginning.
  if (!copy.bound) write_by(copy);
}

// A write that does change the memory, if not at once.
void Checker::write_by(const AsyncCopy& copy) {
  pieces(address_of(copy.to), copy.bytes, [&](std::uintptr_t at, unsigned bytes) {
    access({at, bytes, true, 0, true, copy.code});
    if (pending_.word_count == 0) return;
    const auto* const now = reinterpret_cast<const unsigned char*>(at);
    pending_.before[0] = static_cast<unsigned char>(~*now);
    settle();
  });
}

// The copy on whose destination the address lies; nullptr where there is none.
const AsyncCopy* Checker::copy_to(std::uintptr_t address) const {
  if (state_ == nullptr) return nullptr;
  for (const OnItsWay& one : state_->copies) {
    if (address - address_of(one.copy.to) < one.copy.bytes) return &one.copy;
  }
  return nullptr;
}

Party Checker::beginner_of(const AsyncCopy& copy) {
  AccessRecord record;
  record.code = number_of(copy.code);
  record.block = state_->block;
  record.thread_and_flags = copy.thread;
  return party_of(record, "begins the copy");
}

void Checker::read_too_early(const AsyncCopy& copy, const Access& access,
                             const AccessRecord& reader) {
  early_reads_.emplace(reader.code, number_of(copy.code));
  Report report;
  report.kind = "async-copy";
  report.kernel = grid_->launch.name;
  report.sentence = "the kernel reads memory into which an asynchronous copy is still on its way";
  report.parties.push_back(party_of(reader, "reads " + std::to_string(access.bytes) + " bytes"));
  report.parties.push_back(beginner_of(copy));
  report.variable = variable_at(access.address, access.bytes);
  report.cause =
      "The thread that began the copy waits for it first (cp_async_wait_group, "
      "__pipeline_wait_prior, "
      "consumer_wait, wait), after it has committed it; then a barrier lets the other threads "
      "read. In "
      "a loop with several stages, count how many groups may still be on their way.";
  publish(report);
}

void Checker::changed_too_early(const AsyncCopy& copy, std::uintptr_t address,
                                const AccessRecord& writer, bool source) {
  Report report;
  report.kind = "async-copy";
  report.kernel = grid_->launch.name;
  report.sentence = source
                        ? "the kernel changes the source of an asynchronous copy before the copy "
                          "was waited for"
                        : "the kernel writes where an asynchronous copy is still going to write";
  report.parties.push_back(party_of(writer, "writes"));
  report.parties.push_back(beginner_of(copy));
  report.variable = variable_at(address, 4);
  report.cause =
      "The bytes may be read, and arrive, at any time up to the wait: wait for the copy before "
      "either "
      "side of it is used again.";
  publish(report);
}

}  // namespace simulator
