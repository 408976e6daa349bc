// File: global_norm.h
//
// The length of the whole gradient, all tensors as one vector, and the factor that clips it
// (Pascanu, Mikolov, Bengio 2013, algorithm 1).
//
//   gradient_norm = sqrt(sum of squares)
//   clip_scale    = 1 where gradient_norm <= max_norm, else max_norm / gradient_norm

#ifndef ANDREA_KERNELS_GLOBAL_NORM_H_
#define ANDREA_KERNELS_GLOBAL_NORM_H_

#include <cstdint>

#include "kernels/launch.h"
#include "kernels/step_scalars.h"

namespace andrea {

// Its working memory, in bytes.
std::size_t global_norm_scratch_bytes(std::int64_t count);

// Writes gradient_norm and clip_scale of *scalars, nothing else; the gradients stay as they are
// (adamw multiplies by clip_scale as it reads them). max_norm = 0 switches clipping off. A NaN or
// an infinity among the gradients makes gradient_norm NaN or infinite, and clip_scale NaN.
void global_norm(const float* gradients,  // [count]
                 std::int64_t count, float max_norm,
                 StepScalars* scalars,  // in device memory
                 const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_GLOBAL_NORM_H_
