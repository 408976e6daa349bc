// File: simulator/rewriter/rewriter_properties.h
//
// What holds of the rewriter and the lint for every text, C++ or not. For the fuzzer and its test.

#ifndef ANDREA_SIMULATOR_REWRITER_REWRITER_PROPERTIES_H_
#define ANDREA_SIMULATOR_REWRITER_REWRITER_PROPERTIES_H_

#include <string>
#include <string_view>

namespace simulator {

// Empty, or the first property that does not hold:
// - the tokens one after the other are the text, and stand where they say;
// - the text has one line more when rewritten;
// - text without <<< (or << <), __shared__ and __noinline__ is otherwise unchanged;
// - what was rewritten without a finding changes no more when it is rewritten again;
// - findings stand in the text, in its order; the lint ends.
std::string broken_property(std::string_view source);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_REWRITER_PROPERTIES_H_
