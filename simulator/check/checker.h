// File: checker.h
//
// The check build's eyes: every load and store of the program comes here (hooks.cc), with every
// barrier, collective, fence and allocation, and is held against CUDA's rules: is this memory the
// kernel's to use, has it been written, is the access aligned, is it ordered with the other
// threads' accesses.
//
// One OS thread runs all blocks: records of words need no locks then, which would cost more than a
// second core brings, and the same program gives the same reports in the same order.

#ifndef ANDREA_SIMULATOR_CHECK_CHECKER_H_
#define ANDREA_SIMULATOR_CHECK_CHECKER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "simulator/check/clocks.h"
#include "simulator/check/region.h"
#include "simulator/check/stream_uses.h"
#include "simulator/check/unfinished_work.h"
#include "simulator/runtime/async_copies.h"
#include "simulator/runtime/block.h"
#include "simulator/runtime/memory.h"
#include "simulator/runtime/observer.h"
#include "simulator/runtime/report.h"
#include "simulator/runtime/source_lines.h"

namespace simulator {

struct Access {
  std::uintptr_t address = 0;  // of the first byte
  unsigned bytes = 0;          // how many bytes
  bool write = false;          // else it reads
  std::uint32_t flags = 0;     // of AccessRecord
  bool aligned = true;      // whether the type promises that the address is a multiple of its size
  std::uintptr_t code = 0;  // where in the program it is made
  bool value_used = true;   // else it is only copied, holes and all, or an atomic does not read it
};

// Calls use(address, bytes) for pieces of 1, 2, 4, 8 or 16 bytes that are aligned each.
template <typename Use>
void pieces(std::uintptr_t address, std::size_t bytes, Use use) {
  while (bytes > 0) {
    unsigned piece = 16;
    while (piece > bytes || address % piece != 0) piece /= 2;
    use(address, piece);
    address += piece;
    bytes -= piece;
  }
}

// Sees every access of every kernel, and reports what CUDA does not define.
class Checker : public Observer {
 public:
  Checker();

  // Before the access happens.
  void access(const Access& access);
  // See plain_access.h.
  template <unsigned kBytes, bool kWrite>
  bool plain_access(std::uintptr_t address, std::uintptr_t code);
  // A struct, read or written whole.
  void range(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t code);
  // What the program's memcpy, memmove and memset do.
  void copy(void* to, const void* from, std::size_t bytes, std::uintptr_t code);
  void fill(void* to, int value, std::size_t bytes, std::uintptr_t code);
  // An index that lies outside of its array's type; the access itself follows.
  void index_outside(const std::string& array_type, const std::string& index, SourceLine line,
                     unsigned column);

  void grid_begins(Grid& grid) override;
  void grid_ends(Grid& grid) override;
  void block_begins(Block& block) override;
  void block_ends(Block& block) override;
  void block_leaves(Block& block) override;
  void block_returns(Block& block) override;
  void thread_ends(Block& block) override;
  void barrier_completes(Block& block) override;
  void grid_barrier_completes(Grid& grid) override;
  void collective_completes(Block& block, unsigned first_thread, std::uint32_t present,
                            std::uint32_t mask) override;
  void fence(Block& block, __simulator::__Scope scope) override;
  void arrivals_begin(Block& block, const void* barrier) override;
  void arrives(Block& block, const void* barrier) override;
  void phase_completes(Block& block, const void* barrier) override;
  void passes(Block& block, const void* barrier) override;
  void copy_begins(Block& block, const AsyncCopy& copy) override;
  void copy_completes(Block& block, const AsyncCopy& copy) override;
  // Memory of a kind and size has been handed out, with nothing written to it.
  void allocated(const Allocation& allocation) override;
  // What is read or written there from now on is a fault.
  void freed(const Allocation& allocation) override;
  // A library's function, a fill or the host's copy uses memory as it declares.
  void memory_used(const char* by, const std::vector<MemoryUse>& uses) override;
  void memory_copied(const char* by, const std::vector<MemoryUse>& reads,
                     const std::vector<MemoryUse>& writes) override;

 private:
  // Two accesses of which at least one writes and which nothing orders.
  struct Conflict {
    AccessRecord first;
    bool first_writes = false;
    AccessRecord second;
    bool second_writes = false;
    std::uintptr_t address = 0;
    unsigned bytes = 0;
  };
  struct Race {
    Conflict example;
    std::uint64_t times = 0;
  };
  struct Unwritten {  // a read of what nobody has written
    Access access;
    AccessRecord reader;
    bool wholly = false;
    std::uint64_t times = 0;
    std::string variable;                // named at once, while shared memory is still this block's
    unsigned threads = 0, returned = 0;  // of the block; before a barrier that others passed
  };
  // A plain write whose value is looked at as soon as it has happened.
  struct PendingWrite {
    std::uintptr_t address = 0;
    unsigned bytes = 0;
    unsigned char before[16] = {};
    // A word of it, with what was known of the word before.
    struct Touched {
      WordRecords* word = nullptr;       // null where the bytes reach into fewer words
      AccessRecord earlier_write;        // the last one
      AccessRecord earlier_plain_write;  // the last one that was no atomic's
    };
    Touched words[16];
    unsigned word_count = 0;
    std::vector<Conflict> conflicts;
  };
  // A struct written whole.
  struct RangeUse {
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
    std::uintptr_t code = 0;
    unsigned thread = 0;
  };
  struct SharedVariable {
    Variable variable;    // its name is its symbol
    bool usable = false;  // by the launch that runs
  };
  struct BarrierObject {
    Meeting gathering;    // of the phase in progress
    MeetingPointer last;  // of the phase before it
  };
  struct OnItsWay {
    AsyncCopy copy;
    std::vector<AccessRecord> source_writes;  // the last, of each word, when it began
  };
  struct State {  // of a block
    BlockClocks clocks;
    std::unordered_map<const void*, BarrierObject> meetings;
    std::vector<OnItsWay> copies;
    Region::Copy variables;
    Region::Copy dynamic;
    std::uint32_t block = 0;
    unsigned returned = 0;  // threads that had done so when the others passed a barrier
  };

  void use_shared_memory_of_this_thread();
  Region* region_of(std::uintptr_t address);
  void host_access(const Access& access);
  void host_range(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t code);
  void host_meets_work(Region& region, const Access& access);
  void stop_at(Block& block, const Access& access);
  void outside_all_regions(Block& block, const Access& access);
  void outside_of_shared_variables(const Access& access, Report& report) const;
  void not_usable(Block& block, Region& region, const Access& access);
  void never_written(Region& region, const Access& access, const AccessRecord& mine, bool wholly);
  void misaligned(Block& block, const Access& access);
  void describe_unusable(Report& report, const std::string& who, std::uintptr_t address,
                         std::size_t bytes, bool write, unsigned element_bytes = 1) const;
  void declared_use(const char* by, const MemoryUse& use, std::uintptr_t address, bool write);
  void note_host_use(const char* by, const MemoryUse& use, std::uintptr_t address,
                     std::size_t bytes, bool write);
  void note_stream_use(std::uintptr_t address, std::size_t bytes, const StreamUse& use);
  void note_stream_uses_of_grid();
  void report_stream_race(const StreamUse& earlier, const StreamUse& later, std::uintptr_t address);
  void record(Region& region, const Access& access, AccessRecord mine, unsigned thread);
  AccessRecord record_of(std::uintptr_t code, unsigned thread);
  void remember_read(WordRecords& word, const AccessRecord& mine, unsigned thread);
  void record_read(WordRecords& word, const AccessRecord& mine, unsigned thread,
                   const Access& access);
  void record_write(WordRecords& word, const AccessRecord& mine, unsigned thread,
                    const Access& access);
  bool in_conflict(const AccessRecord& earlier, const AccessRecord& mine, unsigned thread) const;
  void synchronise(std::uintptr_t address, unsigned thread);
  bool is_copy(const RangeUse& target, std::size_t bytes, std::uintptr_t code);
  void begin_work_of_host(const char* by);
  void settle();
  static bool is_silent(const PendingWrite& write);
  void settle(PendingWrite& write);
  void settle_reads(unsigned thread, std::uintptr_t except_address);
  template <typename Use>
  void each_word(std::uintptr_t address, std::size_t bytes, Use use);
  void write_by(const AsyncCopy& copy);
  const AsyncCopy* copy_to(std::uintptr_t address) const;
  Party beginner_of(const AsyncCopy& copy);
  void read_too_early(const AsyncCopy& copy, const Access& access, const AccessRecord& reader);
  void changed_too_early(const AsyncCopy& copy, std::uintptr_t address, const AccessRecord& writer,
                         bool source);
  void begin_variables(const Grid& grid);
  void end_variables();
  bool becomes_usable(std::uintptr_t address);
  void shuffle_sources(Block& block, unsigned first_thread, std::uint32_t present);
  void add(const Conflict& conflict);
  bool is_first_look(const AccessRecord& one, bool writes, const AccessRecord& other) const;
  void report_races();
  void report_unwritten();
  State& state_of(Block& block);

  std::uint32_t number_of(std::uintptr_t code);
  std::uint32_t number_of_far(std::uintptr_t code);
  std::uintptr_t code_of(std::uint32_t number) const;
  Party party_of(const AccessRecord& record, const std::string& did) const;
  std::string variable_at(std::uintptr_t address, unsigned bytes) const;

  std::unique_ptr<Region> device_;
  std::unique_ptr<Region> variables_;
  std::unique_ptr<Region> dynamic_;
  std::unique_ptr<Region> globals_;
  std::uintptr_t image_begin_ = 0;
  std::vector<SharedVariable> shared_;
  std::set<std::uintptr_t> guards_;       // see variables.cc
  std::vector<Variable> host_variables_;  // to whose addresses the launch's arguments point
  std::vector<std::uintptr_t> far_code_;

  Grid* grid_ = nullptr;
  State* state_ = nullptr;  // of the block that runs
  std::map<const Block*, std::unique_ptr<State>> states_;
  std::vector<std::unique_ptr<State>> free_states_;
  PendingWrite pending_;
  std::vector<PendingWrite> earlier_pieces_;  // of the struct whose last piece is pending
  RangeUse last_range_written_;
  std::map<std::uintptr_t, bool> struct_copies_;  // by the code of the read
  // Plain reads of words that others change by atomics: well, if the reader goes on by an atomic.
  std::vector<std::pair<unsigned, Conflict>> pending_reads_;
  // Instructions that have read so: others that found nothing to do after the same look are well
  // too.
  std::set<std::uint32_t> first_looks_;
  std::unordered_map<std::uintptr_t, KnownPointer> published_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool, bool>, Race> races_;
  std::map<std::uint32_t, Unwritten> unwritten_;  // by the instruction
  // Reads of bytes on their way: the reader's instruction and the copy's. The race of the same two
  // is no second fault.
  std::set<std::pair<std::uint32_t, std::uint32_t>> early_reads_;
  bool fences_used_ = false;
  bool atomics_used_ = false;
  // What a kernel that went on after a fault leaves the host.
  cudaError_t late_error_ = cudaSuccess;
  std::set<std::string> lines_out_of_bounds_;              // of the launch, told already
  std::unordered_set<std::uintptr_t> code_out_of_bounds_;  // likewise
  std::unordered_set<std::uintptr_t> host_code_told_;      // that uses device memory
  std::set<std::pair<std::string, int>> shuffles_told_;    // of the launch, by their lines
  StreamUses stream_uses_;
  std::set<std::string> stream_races_told_;
  UnfinishedWork unfinished_work_;
  bool host_may_look_ = false;               // there is managed or pinned memory
  std::vector<Variable> managed_variables_;  // __managed__
  bool index_told_ = false;  // the access that follows has been reported by its index
};

inline Region* Checker::region_of(std::uintptr_t address) {
  if (device_->contains(address)) return device_.get();
  if (variables_->contains(address)) return variables_.get();
  if (dynamic_->contains(address)) return dynamic_.get();
  if (globals_->contains(address)) return globals_.get();
  return nullptr;
}

// The program's checker; nullptr in the fast build.
Checker* checker();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_CHECK_CHECKER_H_
