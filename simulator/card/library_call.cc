// Work of the host in its turn on a stream of a card. It can reach managed and pinned memory only.

#include <cuda_runtime_api.h>
#include <simulator/library_call.h>

#include <memory>
#include <mutex>
#include <utility>

namespace simulator {
namespace {

using Work = std::function<void()>;

void do_once(void* work) { (*std::unique_ptr<Work>(static_cast<Work*>(work)))(); }
void do_again(void* work) { (*static_cast<Work*>(work))(); }

// Work that a graph may do any number of times: it stays until the program ends.
Work* keep(Work work) {
  static std::mutex mutex;
  static auto* const kept = new std::vector<std::unique_ptr<Work>>;
  const std::lock_guard<std::mutex> lock(mutex);
  return kept->emplace_back(std::make_unique<Work>(std::move(work))).get();
}

}  // namespace

cudaError_t library_call(cudaStream_t stream, const char*, std::vector<MemoryUse>, Work work) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  const cudaError_t error = cudaStreamIsCapturing(stream, &capture);
  if (error != cudaSuccess) return error;
  if (capture != cudaStreamCaptureStatusNone) {
    return cudaLaunchHostFunc(stream, &do_again, keep(std::move(work)));
  }
  auto once = std::make_unique<Work>(std::move(work));
  const cudaError_t launched = cudaLaunchHostFunc(stream, &do_once, once.get());
  if (launched == cudaSuccess) (void)once.release();
  return launched;
}

bool is_device_pointer(const void* pointer) {
  cudaPointerAttributes attributes{};
  return cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess &&
         (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged);
}

}  // namespace simulator
