// File: fault.h
//
// A planted fault: a small program with one mistake, and what the simulator must say of it. To add
// one, write the kernel and
//
//     FAULT(one_past_the_end, {.kind = "out-of-bounds", .variable = "d_out"}) {
//       ... the host's part ...
//     }
//
// and mark every line that the report must name by the fault's name in a comment:
//
//     out[n] = 1.0f;  // fault: one_past_the_end
//
// A line may be part of several faults: `// fault: one, other`. faults_test.cc runs each program in
// a process of its own and demands exactly one report, of this kind and level, on these lines and
// no other, and for this variable.

#ifndef ANDREA_SIMULATOR_TESTS_FAULTS_FAULT_H_
#define ANDREA_SIMULATOR_TESTS_FAULTS_FAULT_H_

#include "simulator/tests/harness/check_build.h"

namespace simulator_test {

enum class Level { error, note };

// Which builds must report it: what ends a kernel does so in both.
enum class Builds { check, both };

struct Expected {
  const char* kind = "";
  const char* variable = "";  // as its description begins, up to a comma; empty where there is none
  Level level = Level::error;
  Builds builds = Builds::check;
  const char* says = "";  // a part of the cause, where one kind has several
};

// A variable that is known where each access is seen.
static constexpr const char* seen_by_check(const char* variable) {
  return kCheckBuild ? variable : "";
}

struct Fault {
  const char* name = "";
  const char* file = "";
  bool check_build = false;
  void (*program)() = nullptr;
  Expected expected;
};

// Called before main. Not inline: all sources share one list.
bool add_fault(const Fault& fault);

}  // namespace simulator_test

#define FAULT(NAME, ...)                                                                        \
  static void NAME##_program();                                                                 \
  [[maybe_unused]] static const bool NAME##_added =                                             \
      simulator_test::add_fault({#NAME, __FILE__, simulator_test::kCheckBuild, &NAME##_program, \
                                 simulator_test::Expected __VA_ARGS__});                        \
  static void NAME##_program()

#endif  // ANDREA_SIMULATOR_TESTS_FAULTS_FAULT_H_
