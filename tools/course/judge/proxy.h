// File: proxy.h
//
// What a proxy is made of: a function of the same name and type as one of the student's, which asks
// the student's program and puts what has become of the memory where the caller finds it.
//
//   void pair_dots(const float* a, const float* b, float* dots, int N, int C,
//                  const Launch& launch) {
//     return judge::ask<void>("andrea::lesson02::pair_dots", a, b, dots, N, C, launch);
//   }
//
// They are generated (proxies_main.cc).

#ifndef ANDREA_TOOLS_COURSE_JUDGE_PROXY_H_
#define ANDREA_TOOLS_COURSE_JUDGE_PROXY_H_

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "tools/course/judge/call_file.h"
#include "tools/course/judge/crossing.h"

namespace andrea::judge {

// The buffers that the arguments point into, as they are met.
class CallMemory : public Sender {
 public:
  // Throws std::logic_error for a pointer to no memory of CUDA's: such an argument cannot cross.
  Place place_of(const void* pointer) override;

  // What the buffers hold now; and puts back what they hold after the call.
  std::vector<Buffer> contents() const;
  void put_back(const std::vector<std::string>& contents) const;

 private:
  struct Known {
    std::uintptr_t begin;
    std::size_t bytes;
    std::string name;
    bool pinned;
  };
  std::vector<Known> known_;
};

// Returns the result's bytes.
std::string asked(const std::string& function, const CallMemory& arguments);

[[noreturn]] void no_result(const Malformed& problem);

// The result in these bytes; throws CallFailed where it is none.
template <typename Result>
Result result_from(const std::string& bytes) {
  try {
    ResultReceiver from(bytes);
    Result result = Crossing<Result>::get(from);
    from.end();
    return result;
  } catch (const Malformed& problem) {
    no_result(problem);
  }
}

// Throws CallFailed (tests/harness/callee.h) where there is no answer.
template <typename Result, typename... Arguments>
Result ask(const std::string& function, const Arguments&... arguments) {
  CallMemory memory;
  (Crossing<std::decay_t<Arguments>>::put(memory, arguments), ...);
  const std::string bytes = asked(function, memory);
  if constexpr (!std::is_void_v<Result>) {
    return result_from<Result>(bytes);
  }
}

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_PROXY_H_
