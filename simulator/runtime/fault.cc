#include "simulator/runtime/fault.h"

#include <unistd.h>

#include <bit>
#include <cstdio>
#include <map>
#include <utility>

#include "simulator/runtime/block.h"
#include "simulator/runtime/options.h"
#include "simulator/runtime/watchdog.h"

namespace simulator {

void fatal(const std::string& sentence) {
  std::fflush(stdout);
  std::fprintf(stderr, "simulator: %s\n", sentence.c_str());
  std::fflush(stderr);
  _exit(kErrorStatus);
}

Party party(const Block& block, unsigned thread, const std::string& did) {
  Party result;
  result.did = did;
  result.in_kernel = true;
  result.block = block.index();
  result.thread = block.thread_index(thread);
  result.warp = thread / kWarpSize;
  result.lane = thread % kWarpSize;
  return result;
}

Party party(const Block& block, unsigned thread, const std::string& did,
            const __simulator::__Where& where) {
  Party result = party(block, thread, did);
  result.lines.push_back({where.__file, where.__line, ""});
  return result;
}

Party party_now(const std::string& did) {
  const Block* const block = current_block();
  if (block != nullptr) return party(*block, block->current_thread(), did);
  Party result;
  result.did = did;
  return result;
}

void end_launch(Block& block, cudaError_t error, const Report& report) {
  block.begin_ending();
  Report with_kernel = report;
  with_kernel.kernel = block.grid().launch.name;
  publish(with_kernel);
  cudaError_t none = cudaSuccess;
  block.grid().error.compare_exchange_strong(none, error);
  block.abort();
}

namespace fault {
namespace {

std::string hexadecimal(std::uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

const char* name(__simulator::__Collective kind) {
  using __simulator::__Collective;
  switch (kind) {
    case __Collective::__sync:
      return "__syncwarp";
    case __Collective::__shuffle:
      return "a shuffle";
    case __Collective::__any:
      return "__any_sync";
    case __Collective::__all:
      return "__all_sync";
    case __Collective::__ballot:
      return "__ballot_sync";
    case __Collective::__match_any:
      return "__match_any_sync";
    case __Collective::__match_all:
      return "__match_all_sync";
    case __Collective::__joint:
      return "a call of the whole warp";
    default:
      return "a reduction of the warp";
  }
}

// Of a collective, by what the thread has handed in.
const char* name(const ThreadRecord& record) {
  if (record.kind != __simulator::__Collective::__joint) return name(record.kind);
  return Block::joint_call(record).work->__name;
}

std::string waits(const ThreadRecord& record) {
  switch (record.waiting) {
    case Waiting::at_barrier:
      return "waits in __syncthreads";
    case Waiting::in_warp:
      if (record.kind == __simulator::__Collective::__joint) {
        return std::string("waits in ") + name(record);
      }
      return std::string("waits in ") + name(record) + " with mask " + hexadecimal(record.mask);
    case Waiting::at_grid:
      return "waits in the grid's sync";
    case Waiting::for_arrivals:
      return "waits for a barrier object";
    case Waiting::to_converge:
      return "waits in __activemask";
    default:
      return "runs";
  }
}

std::string seconds(unsigned number) {
  return std::to_string(number) + (number == 1 ? " second" : " seconds");
}

// Threads that wait in the same way on the same line are told as one, by the first of them.
std::vector<Party> who_waits(const Block& block) {
  struct Group {
    unsigned first = 0;
    unsigned size = 0;
  };
  std::map<std::pair<std::string, int>, Group> groups;
  for (unsigned thread = 0; thread < block.thread_count(); ++thread) {
    if (!block.waits(thread)) continue;
    const ThreadRecord& record = block.record(thread);
    Group& group = groups[{waits(record) + record.where.__file, record.where.__line}];
    if (group.size++ == 0) group.first = thread;
  }
  std::vector<Party> parties;
  for (const auto& [key, group] : groups) {
    const ThreadRecord& record = block.record(group.first);
    Party waiting = party(block, group.first, waits(record), record.where);
    if (group.size > 1) waiting.also = "with " + std::to_string(group.size - 1) + " more";
    parties.push_back(waiting);
  }
  return parties;
}

}  // namespace

void deadlock(Block& block) {
  bool at_barrier = false;
  bool in_warp = false;
  bool at_grid = false;
  bool for_arrivals = false;
  for (unsigned thread = 0; thread < block.thread_count(); ++thread) {
    const ThreadRecord& record = block.record(thread);
    if (record.waiting == Waiting::not_at_all) continue;
    at_barrier = at_barrier || record.waiting == Waiting::at_barrier;
    in_warp = in_warp || record.waiting == Waiting::in_warp;
    at_grid = at_grid || record.waiting == Waiting::at_grid;
    for_arrivals = for_arrivals || record.waiting == Waiting::for_arrivals;
  }
  Report report;
  report.kind = at_barrier && !in_warp && !for_arrivals ? "barrier-divergence" : "deadlock";
  report.sentence = "the threads of a block wait for each other, and none can go on";
  report.parties = who_waits(block);
  if (in_warp) {
    report.cause =
        "A collective of a warp goes on when every lane that its mask names has come to it with "
        "the same mask. Usually it stands in a branch that some of those lanes do not take: move "
        "it out of the branch, or build the mask before the branch, with __ballot_sync. If the "
        "line is in a function, as that of a warp's sum is, the branch is where it is called.";
  } else if (for_arrivals) {
    report.cause =
        "A phase of a barrier object (cuda::barrier, or a stage of a cuda::pipeline) completes "
        "when as "
        "many threads have arrived as init was told. Count who calls arrive (for a pipeline: "
        "producer_commit and consumer_release), and see that the threads agree on the phase.";
  } else if (at_grid) {
    report.cause = "Every thread of the grid must come to the same sync.";
  } else {
    report.cause =
        "Every thread of the block must come to the same __syncthreads. Usually it stands in a "
        "branch "
        "or in a loop whose length differs between threads: move it out.";
  }
  end_launch(block, cudaErrorLaunchTimeout, report);
}

void different_barriers(Block& block, unsigned first, __simulator::__Where where) {
  Report report;
  report.kind = "barrier-divergence";
  report.sentence = "threads of one block are at different kinds of barrier";
  report.parties.push_back(
      party(block, first, "waits in one kind of __syncthreads", block.record(first).where));
  report.parties.push_back(
      party(block, block.current_thread(), "comes to another kind of __syncthreads", where));
  report.cause = "Every thread of the block must come to the same __syncthreads.";
  end_launch(block, cudaErrorLaunchFailure, report);
}

void barriers_on_different_lines(Block& block, unsigned first, __simulator::__Where where) {
  Report report;
  report.kind = "barrier-divergence";
  report.kernel = block.grid().launch.name;
  report.sentence = "threads of one block wait for each other at different __syncthreads";
  report.parties.push_back(
      party(block, first, "waits in __syncthreads", block.record(first).where));
  report.parties.push_back(
      party(block, block.current_thread(), "comes to another __syncthreads", where));
  report.cause =
      "Every thread of the block must come to the same __syncthreads. These stand in a branch, or "
      "in a "
      "loop whose number of rounds differs between threads: what one part of the block does before "
      "its "
      "barrier is then not done when the other part goes on. Move the barrier out of the branch; "
      "let "
      "all threads make the same number of rounds, and test inside the loop whether there is work.";
  publish(report);
}

void grid_barrier_without_cooperation(Block& block, __simulator::__Where where) {
  Report report;
  report.kind = "grid-sync";
  report.sentence = "the grid's sync is called in a kernel that was not launched cooperatively";
  report.parties.push_back(party(block, block.current_thread(), "calls it", where));
  report.cause =
      "Launch the kernel by cudaLaunchCooperativeKernel, which sees to it that all blocks run at "
      "the "
      "same time.";
  end_launch(block, cudaErrorLaunchFailure, report);
}

void mask_without_caller(Block& block, std::uint32_t mask, __simulator::__Where where) {
  const unsigned thread = block.current_thread();
  Report report;
  report.kind = "warp-mask";
  report.sentence =
      "a thread calls a collective of its warp with a mask that does not name its lane";
  report.parties.push_back(party(block, thread, "calls it with mask " + hexadecimal(mask), where));
  report.cause = "The mask says which lanes take part, so the caller's own bit, " +
                 hexadecimal(1u << (thread % kWarpSize)) + ", must be set.";
  end_launch(block, cudaErrorLaunchFailure, report);
}

void different_collectives(Block& block, unsigned first_thread, std::uint32_t lanes) {
  Report report;
  report.kind = "warp-divergence";
  report.sentence = "lanes of one warp meet in different collectives";
  std::map<std::string, unsigned> seen;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    const ThreadRecord& record = block.record(first_thread + lane);
    if (!seen.emplace(name(record), lane).second) continue;
    report.parties.push_back(
        party(block, first_thread + lane, std::string("calls ") + name(record), record.where));
  }
  report.cause = "All lanes that the mask names must come to the same call.";
  end_launch(block, cudaErrorLaunchFailure, report);
}

void incomplete_warp(Block& block, unsigned first_thread, std::uint32_t present) {
  const unsigned thread = first_thread + static_cast<unsigned>(std::countr_zero(present));
  const ThreadRecord& record = block.record(thread);
  Report report;
  report.kind = "warp-divergence";
  report.sentence = std::string(name(record)) + " needs all 32 lanes of the warp, and " +
                    std::to_string(std::popcount(present)) + " are there";
  report.parties.push_back(party(block, thread, "calls it", record.where));
  report.cause =
      "The other lanes have left the kernel, or the block's size is no multiple of 32. Let whole "
      "warps "
      "call it or none.";
  end_launch(block, cudaErrorLaunchFailure, report);
}

void no_progress(Block& block, const std::string& did, const std::vector<SourceLine>& lines,
                 const std::string& variable) {
  if (block.grid().error.load() != cudaSuccess) block.abort();
  Report report;
  report.kind = "no-progress";
  report.sentence = "no thread of the kernel has finished or passed a barrier for " +
                    seconds(options().timeout_seconds) + "; it was stopped";
  Party running = party(block, block.current_thread(), did);
  running.lines = lines;
  report.parties.push_back(running);
  for (const Party& waiting : who_waits(block)) report.parties.push_back(waiting);
  report.variable = variable;
  report.cause = report.parties.size() > 1
                     ? "The running thread waits for something that a thread at a barrier should "
                       "do, or its loop "
                       "has no end."
                     : "A loop has no end (does its counter move, does its condition ever fail?), "
                       "or the thread "
                       "waits for a value that no thread writes any more. A plain variable may be "
                       "read once and "
                       "kept in a register: read it by an atomic or through a volatile. If the "
                       "kernel is right "
                       "and only long, set SIMULATOR_TIMEOUT to more seconds, or to 0.";
  end_launch(block, cudaErrorLaunchTimeout, report);
}

void no_progress_in_collective(Block& block, __simulator::__Where where) {
  const ThreadRecord& record = block.record(block.current_thread());
  no_progress(block, std::string("calls ") + name(record) + " again and again",
              {{where.__file, where.__line, ""}});
}

void endless_barriers(Block& block, __simulator::__Where where) {
  if (block.grid().error.load() != cudaSuccess) block.abort();
  Report report;
  report.kind = "no-progress";
  report.sentence = "the kernel has passed barriers for " +
                    seconds(options().timeout_seconds * kBarrierPatience) +
                    ", and no thread of it has finished; it was stopped";
  report.parties.push_back(
      party(block, block.current_thread(), "comes to the barrier again and again", where));
  report.cause =
      "A loop round a barrier has no end: does its counter move, and is its condition ever false? "
      "If the kernel is right and only long, set SIMULATOR_TIMEOUT to more seconds, or to 0.";
  end_launch(block, cudaErrorLaunchTimeout, report);
}

void trap(Block& block, __simulator::__Where where) {
  Report report;
  report.kind = "trap";
  report.sentence = "the kernel ended itself with __trap";
  report.parties.push_back(party(block, block.current_thread(), "calls __trap", where));
  report.cause =
      "The launch ends here, and every later call of CUDA returns cudaErrorLaunchFailure.";
  end_launch(block, cudaErrorLaunchFailure, report);
}

void assertion(Block& block, const char* expression, __simulator::__Where where,
               const char* function) {
  Report report;
  report.kind = "assert";
  report.sentence = std::string("assertion failed: ") + expression;
  Party failed = party(block, block.current_thread(), "asserts it", where);
  failed.lines.front().function = function;
  report.parties.push_back(failed);
  report.cause =
      "The launch ends here, and every later call of CUDA returns cudaErrorAssert. A printf before "
      "the "
      "assertion shows the values.";
  end_launch(block, cudaErrorAssert, report);
}

}  // namespace fault
}  // namespace simulator
