// File: plain_access.h
//
// The commonest accesses in few instructions: a plain load or store of whole words by a kernel, to
// memory that may be used, that has been written if it is read, and whose other accesses are
// ordered with this one; and what the host does to its own memory. Checker::access knows all the
// rules and does the rest; what is decided here it would decide likewise.

#ifndef ANDREA_SIMULATOR_CHECK_PLAIN_ACCESS_H_
#define ANDREA_SIMULATOR_CHECK_PLAIN_ACCESS_H_

#include <cstdint>
#include <cstring>

#include "simulator/check/checker.h"
#include "simulator/runtime/shared_memory.h"

namespace simulator {

// Whether it was such an access, and is done with.
template <unsigned kBytes, bool kWrite>
inline bool Checker::plain_access(std::uintptr_t address, std::uintptr_t code) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16);
  const Block* const block = current_block();
  if (block == nullptr) {  // the host's own memory, but for __managed__ variables
    return !device_->contains(address) && !(host_may_look_ && globals_->contains(address));
  }
  if (block->stop_asked()) return false;
  if (pending_.word_count > 0) settle();
  Region* const region = region_of(address);
  // blockDim and gridDim, whose loads are watched as they have constructors.
  if (region == nullptr) return !kWrite && is_runtime_variable(reinterpret_cast<void*>(address));
  if (address % kBytes != 0 || (host_may_look_ && !region->is_shared())) return false;
  constexpr std::uint32_t kAll = (1u << kBytes) - 1;
  std::uint32_t fit = region->usable(address);
  if (!kWrite) fit &= region->written(address);
  if ((fit & kAll) != kAll) return false;

  constexpr unsigned kWords = kBytes / 4;
  const unsigned thread = block->current_thread();
  const AccessRecord mine = record_of(code, thread);
  const auto agrees = [&](const AccessRecord& earlier) {
    return !earlier.there() || earlier.same_thread(mine) || state_->clocks.ordered(earlier, thread);
  };
  WordRecords* words[kWords];
  for (unsigned i = 0; i < kWords; ++i) {
    WordRecords& word = region->word(address + i * 4);
    if (Region::is_split(word) || word.plain_write.there() || !agrees(word.write)) return false;
    if (kWrite && !(agrees(word.reads[0]) && agrees(word.reads[1]))) return false;
    words[i] = &word;
  }

  index_told_ = false;
  if (!kWrite) {
    for (WordRecords* const word : words) remember_read(*word, mine, thread);
    return true;
  }
  region->mark_written(address, kAll);
  if (!region->is_shared()) state_->clocks.wrote_global(thread);
  pending_.address = address;
  pending_.bytes = kBytes;
  std::memcpy(pending_.before, reinterpret_cast<const void*>(address), kBytes);
  for (WordRecords* const word : words) {
    pending_.words[pending_.word_count++] = {word, word->write, {}};
    word->write = mine;
  }
  return true;
}

inline AccessRecord Checker::record_of(std::uintptr_t code, unsigned thread) {
  AccessRecord record;
  record.code = number_of(code);
  record.block = state_->block;
  record.thread_and_flags = thread;
  record.clock = state_->clocks.clock(thread);
  return record;
}

// Two reads are kept: an older one that is ordered before this one tells no more than this one.
inline void Checker::remember_read(WordRecords& word, const AccessRecord& mine, unsigned thread) {
  AccessRecord& one = word.reads[0];
  AccessRecord& two = word.reads[1];
  const auto replaces = [&](const AccessRecord& old) {
    if (!old.there()) return true;
    if (old.same_thread(mine)) return !old.has(AccessRecord::kSilent);
    return state_->clocks.ordered(old, thread);
  };
  if (replaces(one)) {
    one = mine;
  } else if (replaces(two)) {
    two = mine;
  } else {
    // Rather two warps than two lanes, rather two blocks than two warps.
    const auto near = [](const AccessRecord& a, const AccessRecord& b) {
      if (a.block != b.block) return 0;
      return a.thread() / kWarpSize != b.thread() / kWarpSize ? 1 : 2;
    };
    if (near(one, mine) < near(one, two) && !two.has(AccessRecord::kSilent)) two = mine;
  }
}

inline std::uint32_t Checker::number_of(std::uintptr_t code) {
  const std::uintptr_t offset = code - image_begin_;
  return offset < (1u << 30) ? static_cast<std::uint32_t>(offset) + 1 : number_of_far(code);
}

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_CHECK_PLAIN_ACCESS_H_
