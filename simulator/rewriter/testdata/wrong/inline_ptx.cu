// PTX: CUDA, but not in the simulator.

#define LANE_ID(result) asm("mov.u32 %0, %%laneid;" : "=r"(result))  // unsupported: (here: mov.u32)

__device__ unsigned lane() {
  unsigned result;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(result));  // unsupported: (here: mov.u32)
  return result;
}

__global__ void copy(float* to, const float* from) {
  unsigned result;
  LANE_ID(result);
  asm volatile(  // unsupported: (here: membar.gl)
      "{\n"
      "  .reg .pred p;\n"
      "  membar.gl;\n"
      "}\n");
  asm("" ::: "memory");  // unsupported: no inline PTX.
  to[lane()] = from[result];
}

// The host's own assembler is not PTX.
void host() { asm volatile("nop"); }
