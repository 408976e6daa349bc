#include "kernels/residual.h"

#include "kernels/cpu/enqueue.h"

namespace andrea {
namespace {

void add(const float* a, const float* b, float* out, std::int64_t count) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) out[i] = a[i] + b[i];
}

}  // namespace

void residual_forward(const float* stream, const float* correction, float* out, std::int64_t count,
                      const Launch& launch) {
  cpu::enqueue(launch, "residual_forward",
               {cpu::reads("stream", stream, count), cpu::reads("correction", correction, count),
                cpu::writes("out", out, count)},
               [=] { add(stream, correction, out, count); });
}

void residual_backward(const float* dout, const float* dbranch, float* dstream, std::int64_t count,
                       const Launch& launch) {
  cpu::enqueue(launch, "residual_backward",
               {cpu::reads("dout", dout, count), cpu::reads("dbranch", dbranch, count),
                cpu::writes("dstream", dstream, count)},
               [=] { add(dout, dbranch, dstream, count); });
}

}  // namespace andrea
