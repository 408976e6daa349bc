// File: stream_uses.h
//
// Who used which device memory, from operation to operation: kernels, copies, and what libraries
// declare. Two operations race when one of them writes what the other uses and nothing in the
// program orders them (stream.h), although here the one happens to run after the other.
//
// Memory is kept as spans that were used alike, so that a matrix is one entry, not a million.

#ifndef ANDREA_SIMULATOR_CHECK_STREAM_USES_H_
#define ANDREA_SIMULATOR_CHECK_STREAM_USES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulator/runtime/stream.h"

namespace simulator {

struct StreamUse {
  // Who used it.
  struct By {
    Operation operation;     // which of a stream's works
    std::string name;        // "scale", "linear_forward"
    bool is_kernel = false;  // else a copy, a fill or a library's function
  };
  std::shared_ptr<const By> by;     // nullptr: nobody
  const char* parameter = nullptr;  // of a library's function
  std::uint32_t code = 0;           // of a kernel's instruction, as the checker numbers it
  bool writes = false;              // else it reads
  bool atomic = false;              // or volatile: two such do not race

  // Whether nothing orders the two, and one of them writes.
  bool races_with(const StreamUse& later) const {
    return by != nullptr && (writes || later.writes) && !(atomic && later.atomic) &&
           by->operation.number != later.by->operation.number &&
           !ordered(by->operation, later.by->operation);
  }
};

// Which works have used which memory, and whether their streams are ordered.
class StreamUses {
 public:
  // Calls tell(earlier, address) for what is there already and races with `use`.
  using Tell = std::function<void(const StreamUse&, std::uintptr_t)>;
  void add(std::uintptr_t address, std::size_t bytes, const StreamUse& use, const Tell& tell);

  // The memory was freed: whoever gets the addresses next has nothing to do with it.
  void forget(std::uintptr_t address, std::size_t bytes);

 private:
  struct Span {
    std::uintptr_t end = 0;
    StreamUse write;               // the last one
    std::vector<StreamUse> reads;  // since then, those that are not ordered with each other
  };
  using Spans = std::map<std::uintptr_t, Span>;  // by their first address

  void cut(std::uintptr_t at);
  static void use_span(Spans::value_type& span, const StreamUse& use, const Tell& tell);

  Spans spans_;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_CHECK_STREAM_USES_H_
