// The student's program: answers one call (call_file.h), and ends.
//
//   student INPUT_FILE OUTPUT_FILE
//
// The buffers of the call are allocated anew, each as large as it says and no larger, so that the
// checker sees whoever leaves one. Of what is expected this program knows nothing.

#include <cuda_runtime.h>
#include <fcntl.h>
#include <simulator/counters.h>
#include <simulator/reports.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/cuda_check.h"
#include "simulator/runtime/host_copies.h"
#include "tools/course/judge/call_file.h"
#include "tools/course/judge/dispatch.h"

namespace andrea::judge {
namespace {

constexpr int kUsage = 2;

class Memory : public Receiver {
 public:
  explicit Memory(const Call& call) : Receiver(call.arguments) {
    for (const Buffer& buffer : call.buffers) {
      void* memory = nullptr;
      const std::size_t bytes = buffer.contents.size();
      CUDA_CHECK(buffer.pinned ? cudaMallocHost(&memory, bytes) : cudaMalloc(&memory, bytes));
      CUDA_CHECK(cudaMemcpy(memory, buffer.contents.data(), bytes, cudaMemcpyDefault));
      simulator::name_memory(memory, buffer.name);
      buffers_.push_back({static_cast<char*>(memory), bytes});
    }
  }

  void* at(Place place) override {
    if (place.buffer > buffers_.size()) throw Malformed("there is no such buffer");
    return buffers_[place.buffer - 1].memory + place.offset;
  }

  std::vector<std::string> contents() const {
    std::vector<std::string> all;
    for (const One& buffer : buffers_) {
      std::string& bytes = all.emplace_back(buffer.bytes, '\0');
      // After an error of a kernel nothing can be read any more, and nobody will look at it.
      (void)cudaMemcpy(bytes.data(), buffer.memory, buffer.bytes, cudaMemcpyDefault);
    }
    return all;
  }

  // Whether a buffer holds at the end what a copy has brought from memory that is none of the
  // call's: the host's answer then. Zeros are a beginning, for which a copy serves as a fill does.
  // `contents`: of the buffers, at the end.
  bool hold_what_the_host_wrote(const std::vector<simulator::HostCopy>& copies,
                                const std::vector<std::string>& contents) const {
    return std::any_of(copies.begin(), copies.end(), [&](const simulator::HostCopy& copy) {
      const auto to = that_holds(copy.to);
      if (to == buffers_.end() || that_holds(copy.from) != buffers_.end()) return false;
      const std::size_t offset = static_cast<const char*>(copy.to) - to->memory;
      return contents[to - buffers_.begin()].compare(offset, copy.bytes.size(), copy.bytes) == 0 &&
             copy.bytes.find_first_not_of('\0') != std::string::npos;
    });
  }

 private:
  struct One {
    char* memory;
    std::size_t bytes;
  };

  std::vector<One>::const_iterator that_holds(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return std::find_if(buffers_.begin(), buffers_.end(), [&](const One& buffer) {
      return at - reinterpret_cast<std::uintptr_t>(buffer.memory) < buffer.bytes;
    });
  }

  std::vector<One> buffers_;
};

Reply reply_to(const Call& call) {
  const auto found = std::find_if(entries().begin(), entries().end(),
                                  [&](const Entry& entry) { return entry.name == call.function; });
  if (found == entries().end()) throw Malformed("there is no function " + call.function);
  Memory memory(call);
  ResultSender result;
  if (call.counting) simulator::start_counting();
  simulator::keep_host_copies();
  found->answer(memory, result);
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t ended = cudaDeviceSynchronize();
  Reply reply;
  if (call.counting) {
    const simulator::Counters counters = simulator::stop_counting();
    if (counters.counted()) reply.counters = counters.kernels();
  }
  reply.result = result.bytes();
  reply.errors = simulator::errors_reported();
  reply.cuda_error = launched != cudaSuccess ? launched : ended;
  const std::vector<simulator::HostCopy> copies = simulator::host_copies();
  reply.contents = memory.contents();
  reply.by_the_host = memory.hold_what_the_host_wrote(copies, reply.contents);
  return reply;
}

std::string contents_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A file that may be there already, made by a launcher that lets nothing else be written.
bool write_reply(const char* path, const std::string& bytes) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file < 0) return false;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t now = write(file, bytes.data() + done, bytes.size() - done);
    if (now <= 0) break;
    done += static_cast<std::size_t>(now);
  }
  return close(file) == 0 && done == bytes.size();
}

int run(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: student INPUT_FILE OUTPUT_FILE\n");
    return kUsage;
  }
  const Call call = call_from(contents_of(argv[1]));
  // Read by the simulator when CUDA is used for the first time.
  if (!call.seed.empty()) setenv("SIMULATOR_SEED", call.seed.c_str(), 1);
  if (!call.timeout.empty()) setenv("SIMULATOR_TIMEOUT", call.timeout.c_str(), 1);
  const Reply reply = reply_to(call);
  std::fflush(nullptr);
  return write_reply(argv[2], bytes_of(reply, call.nonce)) ? 0 : 1;
}

}  // namespace
}  // namespace andrea::judge

int main(int argc, char** argv) {
  int status = 1;
  try {
    status = andrea::judge::run(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
  }
  // The reply is there: what students' code has left for the end of the program is not run.
  std::fflush(nullptr);
  _exit(status);
}
