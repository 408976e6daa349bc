// File: simulator/rewriter/lint_rules.h
//
// The rules of the lint, each group in a file of its own.

#ifndef ANDREA_SIMULATOR_REWRITER_LINT_RULES_H_
#define ANDREA_SIMULATOR_REWRITER_LINT_RULES_H_

#include "simulator/rewriter/lint_context.h"

namespace simulator {

// What may be __global__ and what it returns; where __shared__ and the other memory qualifiers may
// stand; lambdas with __device__. (lint_qualifiers.cc)
void lint_qualifiers(LintContext& context);

// Who may call whom: host and device functions, kernels, the device's own functions, the C and C++
// libraries. `uses` are those in `function`. (lint_calls.cc)
void lint_calls(LintContext& context, const Function& function, const LintContext::Uses& uses);

// Arrays in device code whose size is known only at run time. (lint_arrays.cc)
void lint_arrays(LintContext& context, const Function& function);

// Variables of the other side, threadIdx and the like in host code, references to constants of the
// host in device code, and writes to __constant__ memory. (lint_variables.cc)
void lint_variables(LintContext& context, const Function& function, const LintContext::Uses& uses);

// Parts of C++ that device code lacks: exceptions, typeid, std's containers and streams; and inline
// PTX, which the simulator lacks. (lint_device_code.cc)
void lint_device_code(LintContext& context, const Function& function);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_LINT_RULES_H_
