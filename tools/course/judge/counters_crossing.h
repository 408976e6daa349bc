// File: counters_crossing.h
//
// How what a profiler counts crosses (crossing.h).

#ifndef ANDREA_TOOLS_COURSE_JUDGE_COUNTERS_CROSSING_H_
#define ANDREA_TOOLS_COURSE_JUDGE_COUNTERS_CROSSING_H_

#include <simulator/counters.h>

#include <cstdint>
#include <optional>

#include "tools/course/judge/crossing.h"

namespace andrea::judge {

template <>
struct Crossing<dim3> {
  static void put(Sender& to, const dim3& value) {
    for (const unsigned size : {value.x, value.y, value.z}) to.number(size);
  }
  static dim3 get(Receiver& from) {
    dim3 value;
    for (unsigned* const size : {&value.x, &value.y, &value.z}) *size = from.number<unsigned>();
    return value;
  }
};

template <>
struct Crossing<std::optional<std::int64_t>> {
  static void put(Sender& to, const std::optional<std::int64_t>& value) {
    to.number(value.has_value());
    to.number(value.value_or(0));
  }
  static std::optional<std::int64_t> get(Receiver& from) {
    const bool is = from.number<bool>();
    const auto value = from.number<std::int64_t>();
    return is ? std::optional(value) : std::nullopt;
  }
};

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_COUNTERS_CROSSING_H_
