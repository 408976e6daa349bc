// The contract's embedding: kernels/cuda/embed.h in float.

#include "kernels/cuda/embed.h"
#include "kernels/embedding.h"

namespace andrea {

std::size_t embedding_scratch_bytes(int B, int T, int C, int V) {
  return cuda::embed_backward_scratch_bytes(B, T, C, V);
}

void embedding_forward(const int* tokens, const float* token_table, const float* position_table,
                       float* out, int B, int T, int C, const Launch& launch) {
  cuda::embed(tokens, token_table, position_table, out, B, T, C, launch);
}

void embedding_backward(const float* dout, const int* tokens, float* dtoken_table,
                        float* dposition_table, int B, int T, int C, int V, Accumulate accumulate,
                        const Launch& launch) {
  cuda::embed_backward(dout, tokens, dtoken_table, dposition_table, B, T, C, V, accumulate, launch);
}

}  // namespace andrea
