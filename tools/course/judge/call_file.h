// File: call_file.h
//
// The two files of one call: what the judge asks, and what the student's program answers.
//
// A call brings along every buffer that its arguments point into, with all that it holds. The reply
// has the same buffers, in the same order and of the same sizes. It also says what the simulator,
// CUDA and the counters had to say, and carries the call's nonce, so that no other call's reply
// passes for it.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_CALL_FILE_H_
#define ANDREA_TOOLS_COURSE_JUDGE_CALL_FILE_H_

#include <simulator/counters.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace andrea::judge {

using Nonce = std::array<std::uint64_t, 2>;

struct Buffer {
  std::string name;  // as reports call it: "x [33, 97]"
  bool pinned;       // host memory that CUDA allocated, else device memory
  std::string contents;
};

struct Call {
  Nonce nonce{};
  std::string function;   // "andrea::lesson02::pair_dots"
  std::string arguments;  // each as crossing.h has it
  std::vector<Buffer> buffers;
  bool counting = false;
  // Of the simulator's options; empty: as it likes.
  std::string seed, timeout;
};

struct Reply {
  std::string result;
  std::vector<std::string> contents;  // of the buffers
  std::uint64_t errors = 0;           // that the simulator has told
  int cuda_error = 0;
  std::optional<std::vector<simulator::KernelCounters>> counters;  // where it could count
  bool by_the_host = false;  // a buffer holds numbers that were copied from the host
};

std::string bytes_of(const Call& call);
std::string bytes_of(const Reply& reply, const Nonce& nonce);

// Both throw Malformed (wire.h) with what is wrong: "it ends too soon". Of a reply nothing is
// believed but what fits the call.
Call call_from(std::string_view bytes);
Reply reply_from(std::string_view bytes, const Call& call);

// No reply to the call is larger.
std::size_t largest_reply(const Call& call);

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_CALL_FILE_H_
