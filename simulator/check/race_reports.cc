// What the checker says of races: which pairs of accesses are one race, and what usually causes it.

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simulator/check/checker.h"
#include "simulator/check/report_text.h"
#include "simulator/runtime/source_lines.h"

namespace simulator {
namespace {

struct Circumstances {
  bool one_block = false;
  bool one_warp = false;
  bool one_line = false;
  bool both_write = false;
  bool one_atomic = false;
  bool atomics_used = false;  // by the kernel
  bool fences_used = false;
};

const char* cause_of_race(const Circumstances& here) {
  if (here.one_atomic && here.one_block) {
    return "An atomic protects from other atomics only: make the other access atomic too, or put "
           "a barrier between them.";
  }
  if (here.one_atomic && here.fences_used) {
    return "An atomic protects from other atomics only, and a __threadfence waits for nobody: it "
           "orders what its own thread does. To go on when all blocks are done, split the kernel "
           "in two, or sync the grid in a cooperative launch.";
  }
  if (here.one_atomic) {
    return "An atomic protects from other atomics only, and no barrier joins blocks, which run "
           "in any order: do the plain access before the launch (cudaMemset clears a sum) or in "
           "a kernel of its own.";
  }
  if (!here.one_block && here.atomics_used) {
    return "An atomic that tells another block of finished work needs a __threadfence between "
           "the work and itself, in the thread that did the work or, after a __syncthreads, in "
           "the one that tells.";
  }
  if (!here.one_block && here.both_write) {
    return "Blocks run in any order. Use atomicAdd, or give each block a place of its own and "
           "sum them in a second kernel; and see whether two threads compute the same index.";
  }
  if (!here.one_block) {
    return "Blocks run in any order and no barrier joins them. Give each block its own place, or "
           "split the kernel in two.";
  }
  if (here.both_write && here.one_line) {
    return "Several threads of a block write the same element here. Where each should have its "
           "own, see whether they compute the same index, and whether the step of a loop is the "
           "number of threads that share its elements: blockDim.x if they are those of one block. "
           "Where all add to one element, use an atomic.";
  }
  if (here.both_write) {
    return "Two threads compute the same index, or a __syncthreads is missing between the two "
           "lines, or not every thread comes to the one that is there.";
  }
  if (here.one_line && here.one_warp) {
    return "A thread reads here what another one writes here. That the two are lanes of one warp "
           "does not help: since the Volta GPUs of 2017 they do not run in step. In a tree, a "
           "__syncthreads at the end of every round; where a round reads elements that the same "
           "round writes, read into a variable, then __syncthreads, then write, then "
           "__syncthreads again.";
  }
  if (here.one_line) {
    return "A thread reads here what another one writes here. Part the two: in a tree, a "
           "__syncthreads at the end of every round; where a round reads elements that the same "
           "round writes, read into a variable, then __syncthreads, then write, then "
           "__syncthreads again.";
  }
  if (here.one_warp) {
    return "A __syncthreads is missing between the two lines, or not every thread comes to the one "
           "that is there; in a loop, also between the end of one round and the start of the next. "
           "That the two are lanes of one warp does not help: since the Volta GPUs of 2017 they do "
           "not run in step.";
  }
  return "A __syncthreads is missing between the two lines, or not every thread comes to the one "
         "that is there; in a loop, also between the end of one round and the start of the next.";
}

}  // namespace

// Whether `one` is a plain read before a loop round a compare-and-swap, by `other` among them.
bool Checker::is_first_look(const AccessRecord& one, bool writes, const AccessRecord& other) const {
  return !writes && !one.has(AccessRecord::kAtomic) && other.has(AccessRecord::kAtomic) &&
         first_looks_.count(one.code) != 0;
}

// One report for each pair of lines and variable, whichever of the two came first; the most
// telling at the top.
void Checker::report_races() {
  struct Group {
    Race race;
    std::string variable;
  };
  std::map<std::string, Group> groups;
  for (const auto& [key, race] : races_) {
    const Conflict& conflict = race.example;
    if (is_first_look(conflict.first, conflict.first_writes, conflict.second) ||
        is_first_look(conflict.second, conflict.second_writes, conflict.first)) {
      continue;
    }
    if (early_reads_.count({conflict.first.code, conflict.second.code}) != 0 ||
        early_reads_.count({conflict.second.code, conflict.first.code}) != 0) {
      continue;
    }
    const auto line = [&](std::uint32_t code) {
      const std::vector<SourceLine> lines = source_lines(code_of(code));
      return lines.empty() ? std::to_string(code) : place(lines.front());
    };
    const std::string one = line(conflict.first.code);
    const std::string other = line(conflict.second.code);
    const std::string variable = variable_at(conflict.address, conflict.bytes);
    Group& group = groups[std::min(one, other) + '|' + std::max(one, other) + '|' +
                          variable.substr(0, variable.find(','))];
    const auto rank = [](const Race& of) {
      return std::make_pair(of.example.first_writes && of.example.second_writes, of.times);
    };
    const std::uint64_t times = group.race.times + race.times;
    if (group.race.times == 0 || rank(race) > rank(group.race)) group = {race, variable};
    group.race.times = times;
  }
  races_.clear();
  early_reads_.clear();
  std::vector<Group> all;
  for (auto& [key, group] : groups) all.push_back(std::move(group));
  // Two writes say more than a write and a read: where threads add to one number, both are there.
  const auto weight = [](const Group& group) {
    const Conflict& example = group.race.example;
    return std::make_pair(example.first_writes && example.second_writes, group.race.times);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Group& a, const Group& b) { return weight(a) > weight(b); });

  for (const Group& group : all) {
    const Conflict& conflict = group.race.example;
    const bool shared =
        variables_->contains(conflict.address) || dynamic_->contains(conflict.address);
    const bool one_block = conflict.first.block == conflict.second.block;
    const bool one_warp =
        one_block && conflict.first.thread() / kWarpSize == conflict.second.thread() / kWarpSize;
    const bool both_write = conflict.first_writes && conflict.second_writes;
    const bool atomic_first = conflict.first.has(AccessRecord::kAtomic);
    const bool atomic_second = conflict.second.has(AccessRecord::kAtomic);
    const char* const threads = one_warp    ? "lanes of one warp"
                                : one_block ? "threads of one block"
                                            : "threads of different blocks";
    Report report;
    report.kind = "race";
    report.kernel = grid_->launch.name;
    report.times = group.race.times;
    report.sentence =
        std::string("race on ") + (shared ? "shared" : "global") + " memory: nothing orders two " +
        threads +
        (both_write ? " that write the same place" : " of which one writes what the other reads");
    const auto what = [&](bool write, bool atomic) {
      return did(write, conflict.bytes) + (atomic ? " by an atomic" : "");
    };
    report.parties.push_back(party_of(conflict.first, what(conflict.first_writes, atomic_first)));
    report.parties.push_back(
        party_of(conflict.second, what(conflict.second_writes, atomic_second)));
    report.variable = group.variable;
    const std::vector<SourceLine>& first = report.parties.front().lines;
    const std::vector<SourceLine>& second = report.parties.back().lines;
    const bool one_line =
        !first.empty() && !second.empty() && place(first.front()) == place(second.front());
    report.cause = cause_of_race({one_block, one_warp, one_line, both_write,
                                  atomic_first != atomic_second, atomics_used_, fences_used_});
    // In a larger block it would tempt to part one warp where several are to be parted.
    const dim3 size = grid_->launch.block;
    if (one_warp && !both_write && atomic_first == atomic_second &&
        size.x * size.y * size.z <= kWarpSize) {
      report.cause += " As the block has no other warp, __syncwarp would do.";
    }
    publish(report);
  }
}

}  // namespace simulator
