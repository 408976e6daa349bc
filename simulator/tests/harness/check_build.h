// File: check_build.h
//
// Whether a source is compiled for the check build.

#ifndef ANDREA_SIMULATOR_TESTS_HARNESS_CHECK_BUILD_H_
#define ANDREA_SIMULATOR_TESTS_HARNESS_CHECK_BUILD_H_

namespace simulator_test {

#ifdef __SANITIZE_THREAD__
inline constexpr bool kCheckBuild = true;
#else
inline constexpr bool kCheckBuild = false;
#endif

}  // namespace simulator_test

#endif  // ANDREA_SIMULATOR_TESTS_HARNESS_CHECK_BUILD_H_
