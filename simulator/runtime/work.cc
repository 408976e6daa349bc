#include "simulator/runtime/work.h"

#include <cstdlib>
#include <cstring>
#include <mutex>

#include "simulator/runtime/host_copies.h"
#include "simulator/runtime/observer.h"

namespace simulator {
namespace {

// Parameters may be aligned as strictly as a vector register.
constexpr std::size_t kArgumentAlignment = 64;

// Work that several threads of the host ask for is done in some order, one piece at a time.
std::mutex& device_mutex() {
  static std::mutex* const kMutex = new std::mutex;
  return *kMutex;
}

template <typename Pointer>
Pointer moved(Pointer pointer, std::size_t bytes) {
  using Byte =
      std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>, const char, char>;
  return static_cast<Byte*>(pointer) + bytes;
}

void declare(std::vector<MemoryUse>& uses, MemoryUse::Kind kind, const void* pointer,
             const Pitch& pitch, const Shape& shape, const char* name) {
  for (std::size_t slice = 0; slice < shape.depth; ++slice) {
    uses.push_back(
        {kind, moved(pointer, slice * pitch.slice), shape.width, shape.height, pitch.row, name});
  }
}

bool is_empty(const Shape& shape) {
  return shape.width == 0 || shape.height == 0 || shape.depth == 0;
}

struct Runner {
  cudaError_t operator()(const KernelWork& work) const {
    const std::lock_guard<std::mutex> lock(device_mutex());
    return run_grid(work.launch);
  }

  cudaError_t operator()(const CopyWork& work) const {
    if (is_empty(work.shape)) return cudaSuccess;
    const std::lock_guard<std::mutex> lock(device_mutex());
    if (observer() != nullptr) {
      std::vector<MemoryUse> reads;
      std::vector<MemoryUse> writes;
      declare(reads, MemoryUse::reads, work.from, work.from_pitch, work.shape, "src");
      declare(writes, MemoryUse::writes, work.to, work.to_pitch, work.shape, "dst");
      observer()->memory_copied("cudaMemcpy", reads, writes);
    }
    note_host_copy(work);
    for (std::size_t slice = 0; slice < work.shape.depth; ++slice) {
      for (std::size_t row = 0; row < work.shape.height; ++row) {
        std::memmove(moved(work.to, slice * work.to_pitch.slice + row * work.to_pitch.row),
                     moved(work.from, slice * work.from_pitch.slice + row * work.from_pitch.row),
                     work.shape.width);
      }
    }
    return cudaSuccess;
  }

  cudaError_t operator()(const FillWork& work) const {
    if (is_empty(work.shape)) return cudaSuccess;
    const std::lock_guard<std::mutex> lock(device_mutex());
    if (observer() != nullptr) {
      std::vector<MemoryUse> uses;
      declare(uses, MemoryUse::writes, work.to, work.pitch, work.shape, "devPtr");
      observer()->memory_used("cudaMemset", uses);
    }
    for (std::size_t slice = 0; slice < work.shape.depth; ++slice) {
      for (std::size_t row = 0; row < work.shape.height; ++row) {
        char* const to =
            moved(static_cast<char*>(work.to), slice * work.pitch.slice + row * work.pitch.row);
        if (work.element_bytes == 1) {
          std::memset(to, static_cast<int>(work.value & 0xff), work.shape.width);
          continue;
        }
        for (std::size_t i = 0; i < work.shape.width; i += work.element_bytes) {
          std::memcpy(to + i, &work.value, work.element_bytes);
        }
      }
    }
    return cudaSuccess;
  }

  // Without the lock: it may wait for another thread of the host.
  cudaError_t operator()(const HostWork& work) const {
    work.function();
    return cudaSuccess;
  }

  cudaError_t operator()(const LibraryWork& work) const {
    const std::lock_guard<std::mutex> lock(device_mutex());
    if (observer() != nullptr) observer()->memory_used(work.name, work.uses);
    work.function();
    return cudaSuccess;
  }

  cudaError_t operator()(const EmptyWork&) const { return cudaSuccess; }
  cudaError_t operator()(const GraphWork&) const { return cudaErrorUnknown; }
};

}  // namespace

cudaError_t run(const Work& work) { return std::visit(Runner{}, work); }

Work keep(const Work& work) {
  const auto* const kernel = std::get_if<KernelWork>(&work);
  if (kernel == nullptr || kernel->kept_name != nullptr) return work;
  KernelWork kept = *kernel;
  kept.kept_name = std::make_shared<const std::string>(kernel->launch.name);
  kept.launch.name = kept.kept_name->c_str();
  const std::size_t bytes = (kernel->launch.argument_bytes + kArgumentAlignment) /
                            kArgumentAlignment * kArgumentAlignment;
  kept.kept_arguments.reset(std::aligned_alloc(kArgumentAlignment, bytes), &std::free);
  std::memcpy(kept.kept_arguments.get(), kernel->launch.arguments, kernel->launch.argument_bytes);
  kept.launch.arguments = kept.kept_arguments.get();
  return kept;
}

}  // namespace simulator
