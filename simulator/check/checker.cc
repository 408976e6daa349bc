#include "simulator/check/checker.h"

#include <link.h>
#include <simulator/library_call.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/check/plain_access.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/shared_memory.h"
#include "simulator/runtime/source_lines.h"

namespace simulator {
namespace {

struct Image {
  std::uintptr_t begin = ~std::uintptr_t{0};
  std::uintptr_t end = 0;
};

// The addresses of the program's own code and variables.
Image program_image() {
  Image image;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        auto* const found = static_cast<Image*>(result);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          found->begin = std::min(found->begin, begin);
          found->end = std::max(found->end, begin + segment.p_memsz);
        }
        return 1;
      },
      &image);
  image.begin = image.begin / 4096 * 4096;
  return image;
}

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

Checker::Checker() {
  const Arena arena = use_arena();
  device_ = std::make_unique<Region>(Region::Kind::device, arena.begin, arena.end - arena.begin);

  const Image image = program_image();
  image_begin_ = image.begin;
  globals_ = std::make_unique<Region>(Region::Kind::globals, image.begin, image.end - image.begin);
  globals_->set_usable(image.begin, image.end - image.begin, true);
  globals_->set_written(image.begin, image.end - image.begin, true);
  managed_variables_ = managed_variables();
  host_may_look_ = !managed_variables_.empty();
  use_shared_memory_of_this_thread();
}

// Each thread of the host that launches kernels has shared memory of its own.
void Checker::use_shared_memory_of_this_thread() {
  const SharedMemory& shared = shared_memory();
  if (variables_ != nullptr && variables_->begin() == address_of(shared.variables)) return;
  variables_ = std::make_unique<Region>(Region::Kind::shared_variables,
                                        address_of(shared.variables), shared.variables_bytes);
  dynamic_ = std::make_unique<Region>(Region::Kind::dynamic_shared, address_of(shared.dynamic),
                                      shared.dynamic_bytes);
}

void Checker::access(const Access& access) {
  // Another thread of the host may run a kernel meanwhile.
  Block* const block = current_block();
  if (block == nullptr) return host_access(access);
  if (pending_.word_count > 0) settle();
  if (block->stop_asked()) stop_at(*block, access);
  Region* const region = region_of(access.address);
  if (region == nullptr) return outside_all_regions(*block, access);

  const std::uint32_t all = access.bytes == 16 ? 0xffffu : (1u << access.bytes) - 1;
  if ((region->usable(access.address) & all) != all) {
    const bool shared = region == variables_.get();
    if (shared && guards_.count(access.address / 8 * 8) != 0) return;
    if (!shared || !becomes_usable(access.address)) return not_usable(*block, *region, access);
  }
  index_told_ = false;
  if (access.aligned && access.address % access.bytes != 0) return misaligned(*block, access);

  const unsigned thread = block->current_thread();
  AccessRecord mine = record_of(access.code, thread);
  mine.thread_and_flags |= access.flags;
  if (access.value_used && (!access.write || (access.flags & AccessRecord::kAtomic) != 0)) {
    const std::uint32_t missing = all & ~region->written(access.address);
    if (missing != 0) never_written(*region, access, mine, missing == all);
  }
  if (access.write) region->mark_written(access.address, all);
  if (access.write && !region->is_shared()) state_->clocks.wrote_global(thread);
  if (host_may_look_ && !region->is_shared()) {
    unfinished_work_.used(*region, access.address, access.bytes, access.write);
  }
  record(*region, access, mine, thread);
}

void Checker::record(Region& region, const Access& access, AccessRecord mine, unsigned thread) {
  const bool synchronises = (access.flags & (AccessRecord::kAtomic | AccessRecord::kVolatile)) != 0;
  if (synchronises) synchronise(access.address, thread);
  if (access.write && (access.flags & AccessRecord::kAtomic) == 0) {
    pending_.address = access.address;
    pending_.bytes = access.bytes;
    std::memcpy(pending_.before, reinterpret_cast<const void*>(access.address), access.bytes);
  }
  // The parts of the access: whole words where it covers them, else bytes.
  std::uintptr_t at = access.address;
  const std::uintptr_t end = at + access.bytes;
  while (at < end) {
    WordRecords& word = region.word(at);
    if (at % 4 == 0 && end - at >= 4 && !Region::is_split(word)) {
      access.write ? record_write(word, mine, thread, access)
                   : record_read(word, mine, thread, access);
      at += 4;
    } else {
      WordRecords& byte = region.split(word, at % 4);
      access.write ? record_write(byte, mine, thread, access)
                   : record_read(byte, mine, thread, access);
      ++at;
    }
  }
}

inline bool Checker::in_conflict(const AccessRecord& earlier, const AccessRecord& mine,
                                 unsigned thread) const {
  if (!earlier.there() || earlier.same_thread(mine)) return false;
  constexpr std::uint32_t kEither = AccessRecord::kAtomic | AccessRecord::kVolatile;
  if (earlier.has(kEither) && mine.has(kEither)) {
    // Between warps volatile is how flags are passed; within one it stands for a missing
    // __syncwarp.
    const bool both_atomic = earlier.has(AccessRecord::kAtomic) && mine.has(AccessRecord::kAtomic);
    const bool same_warp =
        earlier.block == mine.block && earlier.thread() / kWarpSize == mine.thread() / kWarpSize;
    if (both_atomic || !same_warp) return false;
  }
  return !state_->clocks.ordered(earlier, thread);
}

void Checker::record_read(WordRecords& word, const AccessRecord& mine, unsigned thread,
                          const Access& access) {
  if (in_conflict(word.write, mine, thread)) {
    const Conflict conflict{word.write, true, mine, false, access.address, access.bytes};
    if (word.write.has(AccessRecord::kAtomic)) {
      pending_reads_.emplace_back(thread, conflict);
    } else {
      add(conflict);
    }
  } else if (in_conflict(word.plain_write, mine, thread)) {
    add({word.plain_write, true, mine, false, access.address, access.bytes});
  }
  remember_read(word, mine, thread);
}

void Checker::record_write(WordRecords& word, const AccessRecord& mine, unsigned thread,
                           const Access& access) {
  const bool atomic = mine.has(AccessRecord::kAtomic);
  const auto compare = [&](const AccessRecord& earlier, bool writes) {
    if (!in_conflict(earlier, mine, thread)) return false;
    const Conflict conflict{earlier, writes, mine, true, access.address, access.bytes};
    if (atomic) {
      add(conflict);
    } else {
      pending_.conflicts.push_back(conflict);
    }
    return true;
  };
  if (!compare(word.write, true)) compare(word.plain_write, true);
  for (AccessRecord& read : word.reads) {
    if (atomic && read.there() && read.same_thread(mine)) {
      // The first look of a loop round a compare-and-swap.
      if (!read.has(AccessRecord::kSilent)) first_looks_.insert(read.code);
      read = {};
      continue;
    }
    compare(read, read.has(AccessRecord::kSilent));
  }
  if (!atomic) {
    pending_.words[pending_.word_count++] = {&word, word.write, word.plain_write};
    word.plain_write = {};
  } else if (word.write.there() && !word.write.has(AccessRecord::kAtomic)) {
    word.plain_write = word.write;
  }
  word.write = mine;
}

inline bool Checker::is_silent(const PendingWrite& write) {
  const void* const now = reinterpret_cast<const void*>(write.address);
  if (write.bytes == 4) return std::memcmp(write.before, now, 4) == 0;  // without a call
  return std::memcmp(write.before, now, write.bytes) == 0;
}

// The last plain write has happened by now. If it left the value as it was, it harms no reader, and
// no writer of the same value.
inline void Checker::settle(PendingWrite& write) {
  if (is_silent(write)) {
    for (unsigned i = 0; i < write.word_count; ++i) {
      WordRecords& word = *write.words[i].word;
      AccessRecord mine = word.write;
      mine.thread_and_flags |= AccessRecord::kSilent;
      word.write = write.words[i].earlier_write;
      word.plain_write = write.words[i].earlier_plain_write;
      // It must still not meet a write of another value. What others have read stays known: it
      // takes the place of the thread's own read first.
      const auto is_free = [&](const AccessRecord& read) {
        return !read.there() || read.same_thread(mine);
      };
      (!is_free(word.reads[0]) && is_free(word.reads[1]) ? word.reads[1] : word.reads[0]) = mine;
    }
  } else {
    for (const Conflict& conflict : write.conflicts) add(conflict);
  }
  write.word_count = 0;
  write.conflicts.clear();
}

void Checker::settle() {
  if (!earlier_pieces_.empty()) [[unlikely]] {
    for (PendingWrite& write : earlier_pieces_) settle(write);
    earlier_pieces_.clear();
  }
  settle(pending_);
}

void Checker::range(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t code) {
  if (bytes == 0) return;
  if (current_block() == nullptr) return host_range(address, bytes, write, code);
  if (pending_.word_count > 0) settle();
  // A struct has holes, and perhaps members, that nobody has written; all of it is another thing.
  const Region* const region = region_of(address);
  const bool value_used = region != nullptr && region->contains(address + bytes - 1) &&
                          region->none_written(address, bytes);
  // No piece is written before the last one has been looked at.
  std::vector<PendingWrite> earlier;
  pieces(address, bytes, [&](std::uintptr_t at, unsigned piece) {
    if (pending_.word_count > 0) earlier.push_back(std::move(pending_));
    pending_.word_count = 0;
    pending_.conflicts.clear();
    Access one{at, piece, write, 0, true, code};
    one.value_used = value_used;
    access(one);
  });
  earlier_pieces_ = std::move(earlier);
  const unsigned thread = current_block()->current_thread();
  if (write) {
    last_range_written_ = {address, bytes, code, thread};
  } else if (region != nullptr && last_range_written_.thread == thread &&
             is_copy(last_range_written_, bytes, code)) {
    Region* const target = region_of(last_range_written_.address);
    if (target != nullptr) {
      target->copy_written(last_range_written_.address, *region, address, bytes);
    }
  }
}

// Whether a struct that is read whole goes where one has just been written whole: an assignment
// tells of the write first, and of the read in the next call. What nobody has written goes along.
bool Checker::is_copy(const RangeUse& target, std::size_t bytes, std::uintptr_t code) {
  constexpr std::uintptr_t kNextCall = 64;  // bytes of code
  if (target.bytes != bytes || code - target.code > kNextCall) return false;
  const auto known = struct_copies_.find(code);
  if (known != struct_copies_.end()) return known->second;
  const std::vector<SourceLine> here = source_lines(code);
  const std::vector<SourceLine> there = source_lines(target.code);
  const bool same = !here.empty() && !there.empty() && place(here.front()) == place(there.front());
  return struct_copies_[code] = same;
}

void Checker::settle_reads(unsigned thread, std::uintptr_t except_address) {
  if (pending_reads_.empty()) return;
  std::erase_if(pending_reads_, [&](const std::pair<unsigned, Conflict>& one) {
    if (one.first != thread) return false;
    if (except_address == 0) {
      add(one.second);
      return true;
    }
    if (one.second.address != except_address) return false;
    first_looks_.insert(one.second.second.code);
    return true;
  });
}

// An atomic, or an access to a volatile: publishes at the word what the thread has fenced, and
// learns what others have published there.
void Checker::synchronise(std::uintptr_t address, unsigned thread) {
  settle_reads(thread, address);
  atomics_used_ = true;
  if (!fences_used_) return;
  KnownPointer& there = published_[address];
  if (there != nullptr) state_->clocks.learn(thread, there);
  there = joined(there, state_->clocks.publishable(thread));
}

void Checker::add(const Conflict& conflict) {
  Race& race = races_[{conflict.first.code, conflict.second.code, conflict.first_writes,
                       conflict.second_writes}];
  // Rather two blocks than two warps, rather two warps than two lanes: what helps them helps all.
  const auto distance = [](const Conflict& of) {
    if (of.first.block != of.second.block) return 2;
    return of.first.thread() / kWarpSize != of.second.thread() / kWarpSize ? 1 : 0;
  };
  if (race.times++ == 0 || distance(conflict) > distance(race.example)) race.example = conflict;
}

void Checker::copy(void* to, const void* from, std::size_t bytes, std::uintptr_t code) {
  std::uintptr_t target = address_of(to);
  std::uintptr_t source = address_of(from);
  if (current_block() == nullptr) {
    host_range(source, bytes, false, code);
    host_range(target, bytes, true, code);
    std::memmove(to, from, bytes);
    return;
  }
  // Piece by piece, as a write is looked at again once it has happened; by way of a buffer, as the
  // two may overlap.
  std::vector<unsigned char> values(bytes);
  std::memcpy(values.data(), from, bytes);
  for (std::size_t done = 0; done < bytes;) {
    const unsigned some = bytes - done >= 4 && target % 4 == 0 && source % 4 == 0 ? 4 : 1;
    Access read{source, some, false, 0, true, code};
    read.value_used = false;
    access(read);
    access({target, some, true, 0, true, code});
    // What is copied may have holes that nobody has written: the copy has them too.
    Region* const source_region = region_of(source);
    Region* const target_region = region_of(target);
    if (source_region != nullptr && target_region != nullptr) {
      target_region->copy_written(target, *source_region, source, some);
    }
    std::memcpy(reinterpret_cast<void*>(target), values.data() + done, some);
    target += some;
    source += some;
    done += some;
  }
}

void Checker::fill(void* to, int value, std::size_t bytes, std::uintptr_t code) {
  std::uintptr_t target = address_of(to);
  if (current_block() == nullptr) {
    host_range(target, bytes, true, code);
    std::memset(to, value, bytes);
    return;
  }
  for (std::size_t done = 0; done < bytes;) {
    const unsigned some = bytes - done >= 4 && target % 4 == 0 ? 4 : 1;
    access({target, some, true, 0, true, code});
    std::memset(reinterpret_cast<void*>(target), value, some);
    target += some;
    done += some;
  }
}

void Checker::grid_begins(Grid& grid) {
  grid_ = &grid;
  fences_used_ = false;
  atomics_used_ = false;
  published_.clear();
  lines_out_of_bounds_.clear();
  code_out_of_bounds_.clear();
  shuffles_told_.clear();
  first_looks_.clear();
  device_->forget_uses();
  globals_->forget_uses();
  use_shared_memory_of_this_thread();
  if (host_may_look_) {
    unfinished_work_.begin(grid.launch.name, true, {grid.launch.file, grid.launch.line, ""});
  }
  dynamic_->set_usable(dynamic_->begin(), shared_memory().dynamic_bytes, false);
  dynamic_->set_usable(dynamic_->begin(), grid.launch.shared_bytes, true);
  begin_variables(grid);
}

void Checker::grid_ends(Grid& grid) {
  if (pending_.word_count > 0) settle();
  for (const auto& [thread, conflict] : pending_reads_) add(conflict);
  pending_reads_.clear();
  report_unwritten();
  report_races();
  note_stream_uses_of_grid();
  end_variables();
  cudaError_t none = cudaSuccess;
  if (late_error_ != cudaSuccess) grid.error.compare_exchange_strong(none, late_error_);
  late_error_ = cudaSuccess;
  for (auto& [block, state] : states_) free_states_.push_back(std::move(state));
  states_.clear();
  grid_ = nullptr;
  state_ = nullptr;
}

Checker::State& Checker::state_of(Block& block) {
  std::unique_ptr<State>& state = states_[&block];
  if (state == nullptr) {
    if (free_states_.empty()) free_states_.push_back(std::make_unique<State>());
    state = std::move(free_states_.back());
    free_states_.pop_back();
  }
  return *state;
}

void Checker::block_begins(Block& block) {
  state_ = &state_of(block);
  state_->block = static_cast<std::uint32_t>(block.linear_index());
  state_->clocks.begin(state_->block, block.thread_count());
  state_->meetings.clear();
  state_->copies.clear();
  state_->returned = 0;
  variables_->forget_uses();
  dynamic_->forget_uses();
  variables_->set_written(variables_->begin(), shared_memory().variables_bytes, false);
  dynamic_->set_written(dynamic_->begin(), grid_->launch.shared_bytes, false);
}

void Checker::block_ends(Block&) {
  if (pending_.word_count > 0) settle();
  for (const auto& [thread, conflict] : pending_reads_) add(conflict);
  pending_reads_.clear();
}

void Checker::block_leaves(Block& block) {
  block_ends(block);
  State& state = state_of(block);
  state.variables = variables_->copy_uses(shared_memory().variables_bytes);
  state.dynamic = dynamic_->copy_uses(grid_->launch.shared_bytes);
}

void Checker::block_returns(Block& block) {
  state_ = &state_of(block);
  variables_->forget_uses();
  dynamic_->forget_uses();
  variables_->restore_uses(state_->variables);
  dynamic_->restore_uses(state_->dynamic);
}

void Checker::thread_ends(Block& block) {
  if (pending_.word_count > 0) settle();
  settle_reads(block.current_thread(), 0);
}

void Checker::barrier_completes(Block& block) {
  block_ends(block);
  state_->clocks.barrier();
  state_->returned = block.thread_count() - block.live_count();
}

void Checker::grid_barrier_completes(Grid&) {
  if (pending_.word_count > 0) settle();
  note_stream_uses_of_grid();
  device_->forget_uses();
  globals_->forget_uses();
  for (auto& [block, state] : states_) state->clocks.barrier();
}

void Checker::collective_completes(Block& block, unsigned first_thread, std::uint32_t present,
                                   std::uint32_t mask) {
  if (pending_.word_count > 0) settle();
  using __simulator::__Collective;
  const auto lane = static_cast<unsigned>(std::countr_zero(present));
  const __Collective kind = block.record(first_thread + lane).kind;
  if (kind == __Collective::__shuffle) shuffle_sources(block, first_thread, present);
  // A shuffle or a vote promises no order of memory; __syncwarp does.
  if (kind != __Collective::__sync) return;
  state_->clocks.warp_sync(first_thread, present, mask | block.exited_lanes(first_thread));
}

void Checker::fence(Block& block, __simulator::__Scope) {
  if (pending_.word_count > 0) settle();
  fences_used_ = true;
  state_->clocks.fence(block.current_thread());
}

void Checker::allocated(const Allocation& allocation) {
  device_->set_usable(allocation.address, allocation.bytes, true);
  // The host may write these without the checker's seeing it.
  if (allocation.kind != MemoryKind::device) {
    host_may_look_ = true;
    device_->set_written(allocation.address, allocation.bytes, true);
  }
}

void Checker::freed(const Allocation& allocation) {
  device_->set_usable(allocation.address, allocation.bytes, false);
  stream_uses_.forget(allocation.address, allocation.bytes);
}

// Of kernels in a shared library.
std::uint32_t Checker::number_of_far(std::uintptr_t code) {
  const auto found = std::find(far_code_.begin(), far_code_.end(), code);
  const auto index = static_cast<std::uint32_t>(found - far_code_.begin());
  if (found == far_code_.end()) far_code_.push_back(code);
  return (1u << 30) + 1 + index;
}

std::uintptr_t Checker::code_of(std::uint32_t number) const {
  if (number <= 1u << 30) return image_begin_ + number - 1;
  return far_code_[number - (1u << 30) - 1];
}

}  // namespace simulator
