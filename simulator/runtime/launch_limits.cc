#include "simulator/runtime/launch_limits.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "simulator/runtime/device.h"
#include "simulator/runtime/error.h"
#include "simulator/runtime/kernel_symbol.h"

namespace simulator {
namespace {

struct Limits {
  std::mutex mutex;
  std::map<const void*, std::size_t> dynamic_bytes;  // by kernel, where the program set it
};

Limits& limits() {
  static Limits* const kLimits = new Limits;
  return *kLimits;
}

std::string triple(const dim3& size) {
  return "(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " +
         std::to_string(size.z) + ")";
}

cudaError_t refuse_launch(const KernelLaunch& launch, cudaError_t error,
                          const std::string& sentence, const std::string& cause) {
  Refusal refusal;
  refusal.error = error;
  refusal.kind = "launch";
  refusal.sentence = std::string(launch.name) + " cannot be launched with " + sentence;
  refusal.did = "launches it";
  refusal.where = {launch.file, launch.line};
  refusal.cause = cause;
  refusal.kernel = launch.name;
  return refuse(refusal);
}

bool has_zero(const dim3& size) { return size.x == 0 || size.y == 0 || size.z == 0; }
bool exceeds(const dim3& size, const dim3& most) {
  return size.x > most.x || size.y > most.y || size.z > most.z;
}

cudaError_t check_sizes(const KernelLaunch& launch) {
  constexpr cudaError_t kError = cudaErrorInvalidConfiguration;
  const dim3& grid = launch.grid;
  const dim3& block = launch.block;
  if (has_zero(grid)) {
    return refuse_launch(
        launch, kError, "a grid of " + triple(grid) + " blocks: it has none",
        "Is the number of blocks computed by a division that rounds down? (n + size - "
        "1) / size rounds up; where there may be no work, do not launch.");
  }
  if (has_zero(block)) {
    return refuse_launch(launch, kError, "a block of " + triple(block) + " threads: it has none",
                         "Every side of a block must be at least 1.");
  }
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (threads > gpu().threads_in_block) {
    return refuse_launch(launch, kError,
                         "a block of " + triple(block) + " = " + std::to_string(threads) +
                             " threads: " + std::to_string(gpu().threads_in_block) +
                             " are the most",
                         "The limit holds for the product of the block's sides. Are grid and block "
                         "swapped? The grid comes first.");
  }
  if (exceeds(block, gpu().block)) {
    return refuse_launch(launch, kError,
                         "a block of " + triple(block) + " threads: " + triple(gpu().block) +
                             " are the most on each side",
                         "Put the longest side of the block along x.");
  }
  if (exceeds(grid, gpu().grid)) {
    return refuse_launch(launch, kError,
                         "a grid of " + triple(grid) + " blocks: " + triple(gpu().grid) +
                             " are the most on each side",
                         "A negative number becomes a huge one. A long grid goes along x.");
  }
  return cudaSuccess;
}

cudaError_t check_shared(const KernelLaunch& launch) {
  if (launch.shared_bytes == 0) return cudaSuccess;
  const std::size_t limit = dynamic_shared_limit(launch.function);
  if (launch.shared_bytes <= limit) return cudaSuccess;
  const std::size_t fixed = kernel_symbol(launch.function).static_shared_bytes;
  const std::size_t most =
      gpu().shared_in_block_opt_in - std::min(fixed, gpu().shared_in_block_opt_in);
  const std::string beside =
      fixed == 0 ? "" : " beside its " + std::to_string(fixed) + " of static shared memory";
  return refuse_launch(
      launch, cudaErrorInvalidValue,
      std::to_string(launch.shared_bytes) + " bytes of dynamic shared memory" + beside + ": " +
          std::to_string(limit) + " are the most",
      launch.shared_bytes <= most
          ? "More than 48 KB must be asked for before the launch: cudaFuncSetAttribute(kernel, "
            "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)."
          : "No kernel can have more than " + std::to_string(gpu().shared_in_block_opt_in) +
                " bytes a block, static and dynamic, even if it asks by cudaFuncSetAttribute.");
}

cudaError_t check_cooperation(const KernelLaunch& launch) {
  if (!launch.cooperative) return cudaSuccess;
  const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
  const std::size_t shared =
      kernel_symbol(launch.function).static_shared_bytes + launch.shared_bytes;
  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  const auto most = static_cast<std::uint64_t>(resident_blocks(gpu(), threads, shared)) *
                    static_cast<std::uint64_t>(gpu().multiprocessors);
  if (blocks <= most) return cudaSuccess;
  return refuse_launch(launch, cudaErrorCooperativeLaunchTooLarge,
                       std::to_string(blocks) + " blocks that wait for each other: " +
                           std::to_string(most) + " of this size are on the GPU at a time",
                       "All blocks of a cooperative launch must run at once. Size the grid by "
                       "cudaOccupancyMaxActiveBlocksPerMultiprocessor times the number of "
                       "multiprocessors, and let each block loop.");
}

}  // namespace

std::size_t dynamic_shared_limit(const void* kernel) {
  const std::lock_guard<std::mutex> lock(limits().mutex);
  if (kernel == nullptr) {
    std::size_t most = gpu().shared_in_block;
    for (const auto& [other, bytes] : limits().dynamic_bytes) most = std::max(most, bytes);
    return most;
  }
  const auto found = limits().dynamic_bytes.find(kernel);
  if (found != limits().dynamic_bytes.end()) return found->second;
  const std::size_t fixed = kernel_symbol(kernel).static_shared_bytes;
  return gpu().shared_in_block - std::min(fixed, gpu().shared_in_block);
}

void set_dynamic_shared_limit(const void* kernel, std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(limits().mutex);
  limits().dynamic_bytes[kernel] = bytes;
}

cudaError_t check_launch(const KernelLaunch& launch) {
  if (const cudaError_t error = check_sizes(launch)) return error;
  if (const cudaError_t error = check_shared(launch)) return error;
  return check_cooperation(launch);
}

}  // namespace simulator
