// File: residual.h
//
// The residual connection (He et al. 2015): a sublayer adds its correction to the stream.
//
//   forward    out = stream + correction
//   backward   dcorrection = dout: the same numbers, so nothing is computed for it.
//              dstream = dout + dbranch, where dbranch is what came back through the sublayer,
//              which read the stream too: what is read twice receives the sum of two gradients.

#ifndef ANDREA_KERNELS_RESIDUAL_H_
#define ANDREA_KERNELS_RESIDUAL_H_

#include <cstdint>

#include "kernels/launch.h"

namespace andrea {

// `out` may be `stream` or `correction`.
void residual_forward(const float* stream,      // [count]
                      const float* correction,  // [count]
                      float* out,               // [count]
                      std::int64_t count, const Launch& launch);

// `dstream` may be `dout` or `dbranch`.
void residual_backward(const float* dout,     // [count]
                       const float* dbranch,  // [count]
                       float* dstream,        // [count]
                       std::int64_t count, const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_RESIDUAL_H_
