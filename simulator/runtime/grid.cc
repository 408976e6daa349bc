#include "simulator/runtime/grid.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <vector>

#include "simulator/runtime/block.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/observer.h"
#include "simulator/runtime/options.h"
#include "simulator/runtime/shared_memory.h"
#include "simulator/runtime/watchdog.h"
#include "simulator/runtime/workers.h"

namespace simulator {
namespace {

// Waking the other workers costs some microseconds: worth it when as much is left to do.
constexpr std::chrono::microseconds kWorthWaking{50};

// What an OS thread needs to run blocks; kept from one launch to the next.
struct Worker {
  FiberPool fibers;
  std::vector<std::unique_ptr<Block>> free_blocks;

  std::unique_ptr<Block> take() {
    if (free_blocks.empty()) return std::make_unique<Block>(fibers);
    std::unique_ptr<Block> block = std::move(free_blocks.back());
    free_blocks.pop_back();
    return block;
  }
};

Worker& this_worker() {
  static thread_local Worker worker;
  return worker;
}

// In a seeded order, where asked for: a permutation that needs no table.
std::uint64_t block_at(const Grid& grid, std::uint64_t position) {
  const std::uint64_t seed = options().seed;
  if (seed == 0 || grid.blocks < 2) return position;
  // Odd steps through the next power of two, skipping what lies outside.
  std::uint64_t size = 1;
  while (size < grid.blocks) size *= 2;
  std::uint64_t at = position;
  do {
    at = (at * (4 * (seed % 1021) + 5) + seed) & (size - 1);
  } while (at >= grid.blocks);
  return at;
}

// A block that was begun and waits for others, with the shared memory that it had.
struct Suspended {
  Suspended(std::unique_ptr<Block> what, Block::Outcome how)
      : block(std::move(what)), outcome(how) {
    leave();
  }

  void leave() {
    if (observer() != nullptr) observer()->block_leaves(*block);
    shared.save(block->grid().launch.shared_bytes);
  }
  void go_on();

  std::unique_ptr<Block> block;
  SharedMemoryCopy shared;
  Block::Outcome outcome;
};

bool over(const Grid& grid) { return grid.error.load(std::memory_order_relaxed) != cudaSuccess; }

Block::Outcome run_block(Block& block) {
  const Block::Outcome outcome = block.run();
  if (outcome == Block::Outcome::finished && observer() != nullptr) observer()->block_ends(block);
  return outcome;
}

void Suspended::go_on() {
  shared.restore();
  if (observer() != nullptr) observer()->block_returns(*block);
  outcome = run_block(*block);
  if (outcome != Block::Outcome::finished && outcome != Block::Outcome::aborted) leave();
}

void begin_block(Block& block, Grid& grid, std::uint64_t linear) {
  block.begin(grid, linear);
  if (observer() != nullptr) observer()->block_begins(block);
}

// Goes round the blocks that wait for each other, until they are done.
void run_suspended(Grid& grid, std::vector<Suspended>& suspended, Worker& worker,
                   bool take_others) {
  while (!suspended.empty() && !over(grid)) {
    if (take_others) {
      const std::uint64_t position = grid.next_block.fetch_add(1, std::memory_order_relaxed);
      if (position < grid.blocks) {
        std::unique_ptr<Block> block = worker.take();
        begin_block(*block, grid, block_at(grid, position));
        const Block::Outcome outcome = run_block(*block);
        if (outcome == Block::Outcome::finished) {
          worker.free_blocks.push_back(std::move(block));
        } else {
          suspended.emplace_back(std::move(block), outcome);
        }
      } else {
        take_others = false;
      }
    }
    bool all_at_grid_barrier = true;
    for (std::size_t i = 0; i < suspended.size() && !over(grid);) {
      Suspended& one = suspended[i];
      if (one.outcome == Block::Outcome::spinning) one.go_on();
      all_at_grid_barrier = all_at_grid_barrier && one.outcome == Block::Outcome::at_grid_barrier;
      if (one.outcome == Block::Outcome::finished) {
        worker.free_blocks.push_back(std::move(one.block));
        suspended.erase(suspended.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    if (!suspended.empty() && !take_others && all_at_grid_barrier && !over(grid)) {
      if (observer() != nullptr) observer()->grid_barrier_completes(grid);
      for (Suspended& one : suspended) {
        one.block->release_grid_barrier();
        one.outcome = Block::Outcome::spinning;
      }
    }
  }
  for (Suspended& one : suspended) worker.free_blocks.push_back(std::move(one.block));
  suspended.clear();
}

// Takes blocks until none is left; calls `after_each` after every one of them.
template <typename AfterEach>
void run_blocks(Grid& grid, AfterEach after_each) {
  Worker& worker = this_worker();
  watch(grid);
  std::unique_ptr<Block> block = worker.take();
  std::vector<Suspended> suspended;
  while (!over(grid)) {
    const std::uint64_t position = grid.next_block.fetch_add(1, std::memory_order_relaxed);
    if (position >= grid.blocks) break;
    begin_block(*block, grid, block_at(grid, position));
    const Block::Outcome outcome = run_block(*block);
    if (outcome == Block::Outcome::spinning || outcome == Block::Outcome::at_grid_barrier) {
      suspended.emplace_back(std::move(block), outcome);
      run_suspended(grid, suspended, worker, true);
      block = worker.take();
    }
    after_each();
  }
  worker.free_blocks.push_back(std::move(block));
  stop_watching();
}

}  // namespace

uint3 Grid::block_index(std::uint64_t linear) const {
  const dim3 size = launch.grid;
  return {static_cast<unsigned>(linear % size.x), static_cast<unsigned>(linear / size.x % size.y),
          static_cast<unsigned>(linear / size.x / size.y)};
}

unsigned worker_count() { return observer() != nullptr ? 1 : options().workers; }

cudaError_t run_grid(const KernelLaunch& launch) {
  // Kernels run one at a time: a launch from another thread of the host waits here.
  static std::mutex mutex;
  static std::uint64_t launches = 0;
  const std::lock_guard<std::mutex> lock(mutex);

  Grid grid(launch);
  grid.blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  grid.threads_in_block = launch.block.x * launch.block.y * launch.block.z;
  grid.number = ++launches;
  if (observer() != nullptr) observer()->grid_begins(grid);

  const auto start = std::chrono::steady_clock::now();
  // The blocks of a cooperative grid wait for each other, so one OS thread has them all.
  bool alone = worker_count() == 1 || grid.blocks == 1 || launch.cooperative;
  bool others_run = false;
  std::uint64_t done = 0;
  run_blocks(grid, [&] {
    ++done;
    if (alone) return;
    const auto elapsed = std::chrono::steady_clock::now() - start;
    if (elapsed / done * (grid.blocks - done) < kWorthWaking) return;
    alone = true;  // asks no more
    others_run = true;
    workers().start([&grid] { run_blocks(grid, [] {}); });
  });
  if (others_run) workers().wait();

  if (observer() != nullptr) observer()->grid_ends(grid);
  return grid.error.load();
}

}  // namespace simulator
