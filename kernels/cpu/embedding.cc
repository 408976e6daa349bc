#include "kernels/embedding.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "kernels/cpu/enqueue.h"

namespace andrea {

std::size_t embedding_scratch_bytes(int, int, int, int) { return 0; }

void embedding_forward(const int* tokens, const float* token_table, const float* position_table,
                       float* out, int B, int T, int C, const Launch& launch) {
  const auto work = [=] {
    const std::ptrdiff_t width = C;
#pragma omp parallel for schedule(static)
    for (int n = 0; n < B * T; ++n) {
      const float* token_row = token_table + tokens[n] * width;
      float* row = out + n * width;
      if (position_table == nullptr) {
        std::memcpy(row, token_row, sizeof(float) * static_cast<std::size_t>(C));
        continue;
      }
      const float* position_row = position_table + (n % T) * width;
      for (int c = 0; c < C; ++c) row[c] = token_row[c] + position_row[c];
    }
  };
  // How many rows the token table has is not told; its first stands for all.
  cpu::enqueue(launch, "embedding_forward",
               {cpu::reads("tokens", tokens, B, T), cpu::reads("token_table", token_table, C),
                cpu::optional(cpu::reads("position_table", position_table, T, C)),
                cpu::writes("out", out, B, T, C)},
               work);
}

// A token may occur many times, so threads share the work by columns, not by tokens: no two ever
// add to the same number, and each number is summed in the order of the tokens.
void embedding_backward(const float* dout, const int* tokens, float* dtoken_table,
                        float* dposition_table, int B, int T, int C, int V, Accumulate accumulate,
                        const Launch& launch) {
  const auto work = [=] {
    constexpr int kStrip = 64;
    const std::ptrdiff_t width = C;
#pragma omp parallel for schedule(static)
    for (int first = 0; first < C; first += kStrip) {
      const int last = std::min(first + kStrip, C);
      if (accumulate == Accumulate::overwrite) {
        for (int v = 0; v < V; ++v) {
          std::fill(dtoken_table + v * width + first, dtoken_table + v * width + last, 0.0f);
        }
        for (int t = 0; dposition_table != nullptr && t < T; ++t) {
          std::fill(dposition_table + t * width + first, dposition_table + t * width + last, 0.0f);
        }
      }
      for (int n = 0; n < B * T; ++n) {
        const float* row = dout + n * width;
        float* token_row = dtoken_table + tokens[n] * width;
        for (int c = first; c < last; ++c) token_row[c] += row[c];
        if (dposition_table == nullptr) continue;
        float* position_row = dposition_table + (n % T) * width;
        for (int c = first; c < last; ++c) position_row[c] += row[c];
      }
    }
  };
  cpu::enqueue(
      launch, "embedding_backward",
      {cpu::reads("dout", dout, B, T, C), cpu::reads("tokens", tokens, B, T),
       cpu::accumulates(accumulate, "dtoken_table", dtoken_table, V, C),
       cpu::optional(cpu::accumulates(accumulate, "dposition_table", dposition_table, T, C))},
      work);
}

}  // namespace andrea
