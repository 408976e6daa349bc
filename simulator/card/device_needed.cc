// A test of kernels on a machine without a card tests nothing. It ends before its main, with a
// status of its own, so that nobody takes it for passed; `./andrea test` counts it as not run.

#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace simulator {
namespace {

constexpr int kNotRun = 77;

// In a process of its own: one that has begun to use CUDA cannot have children that do.
bool has_a_device() {
  const pid_t child = fork();
  if (child < 0) return true;  // the test will tell
  if (child == 0) {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
      std::printf("not run: no CUDA device here (%s: %s)\n", cudaGetErrorName(error),
                  cudaGetErrorString(error));
    } else if (count == 0) {
      std::printf("not run: no CUDA device here\n");
    }
    std::fflush(stdout);
    _exit(error == cudaSuccess && count > 0 ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Bazel sets the variable for its tests. Programs that a test runs have it too, and end likewise.
struct Look {
  Look() {
    if (std::getenv("TEST_TARGET") != nullptr && !has_a_device()) _exit(kNotRun);
  }
};

const Look look;

}  // namespace
}  // namespace simulator
