// Collectives of a warp with masks that do not fit those who come.

#include "simulator/tests/faults/fault.h"
#include "simulator/tests/faults/zeros.h"

using simulator_test::Builds;
using simulator_test::Level;
using simulator_test::zeros;

// The mask says 16 lanes, and 32 come.
__global__ void sum_of_half_warp(int* out) {
  int value = threadIdx.x;
  for (int distance = 8; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0x0000ffffu, value, distance, 16);  // fault: own_bit_missing
  }
  out[threadIdx.x] = value;
}

FAULT(own_bit_missing, {.kind = "warp-mask", .builds = Builds::both}) {
  sum_of_half_warp<<<1, 32>>>(zeros<int>(32));
}

// The mask says 32 lanes, and 16 come: the others are on their way to the block's barrier.
__global__ void full_mask_in_branch(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x < 16) {
    value += __shfl_xor_sync(0xffffffffu, value, 8);  // fault: full_mask_in_branch
  }
  __syncthreads();  // fault: full_mask_in_branch
  out[threadIdx.x] = value;
}

FAULT(full_mask_in_branch, {.kind = "deadlock", .builds = Builds::both}) {
  full_mask_in_branch<<<1, 32>>>(zeros<int>(32));
}

// Each half has a mask of its own, and one of them is wrong.
__global__ void different_masks(int* out) {
  const unsigned mask = threadIdx.x < 16 ? 0x0000ffffu : 0xffffffffu;
  out[threadIdx.x] = __reduce_add_sync(mask, 1u);  // fault: different_masks
  __syncthreads();                                 // fault: different_masks
}

FAULT(different_masks, {.kind = "deadlock", .builds = Builds::both}) {
  different_masks<<<1, 32>>>(zeros<int>(32));
}

__global__ void vote_against_ballot(int* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = __any_sync(0xffffffffu, threadIdx.x == 3);  // fault: different_collectives
  } else {
    out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);  // fault: different_collectives
  }
}

FAULT(different_collectives, {.kind = "warp-divergence", .builds = Builds::both}) {
  vote_against_ballot<<<1, 32>>>(zeros<int>(32));
}

// Lane 31 is named by the mask, and waits for the block instead.
__global__ void syncwarp_names_too_many(int* out) {
  if (threadIdx.x < 31) {
    __syncwarp(0xffffffffu);  // fault: syncwarp_names_too_many
    out[threadIdx.x] = 1;
  }
  __syncthreads();  // fault: syncwarp_names_too_many
}

FAULT(syncwarp_names_too_many, {.kind = "deadlock", .builds = Builds::both}) {
  syncwarp_names_too_many<<<1, 64>>>(zeros<int>(64));
}

__global__ void syncwarp_without_itself(int* out) {
  if (threadIdx.x < 16) {
    __syncwarp(0xffff0000u);  // fault: syncwarp_without_itself
  }
  out[threadIdx.x] = 1;
}

FAULT(syncwarp_without_itself, {.kind = "warp-mask", .builds = Builds::both}) {
  syncwarp_without_itself<<<1, 32>>>(zeros<int>(32));
}

// Sums eight lanes of which the last three have left: what the others get from them is undefined.
__global__ void sum_with_exited_lanes(const int* in, int* out) {
  if (threadIdx.x >= 5) return;
  int value = in[threadIdx.x];
  for (int distance = 4; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffu, value, distance);  // fault: shuffle_from_exited_lane
  }
  if (threadIdx.x == 0) *out = value;
}

FAULT(shuffle_from_exited_lane, {.kind = "shuffle-source", .level = Level::note}) {
  sum_with_exited_lanes<<<1, 8>>>(zeros<int>(8), zeros<int>(1));
}

// A block of 40 threads: its second warp has 8 lanes of 32.
__global__ void sum_of_part_of_a_warp(float* out) {
  float value = static_cast<float>(threadIdx.x);
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, distance);  // fault: shuffle_from_no_lane
  }
  out[threadIdx.x] = value;
}

FAULT(shuffle_from_no_lane, {.kind = "shuffle-source", .level = Level::note}) {
  sum_of_part_of_a_warp<<<1, 40>>>(zeros<float>(40));
}

// Lane 0 is not in the mask, so it has nothing to give.
__global__ void broadcast_from_outside(int* out) {
  if (threadIdx.x > 0) {
    out[threadIdx.x] = __shfl_sync(0xfffffffeu, 7, 0);  // fault: shuffle_from_outside_the_mask
  }
}

FAULT(shuffle_from_outside_the_mask, {.kind = "shuffle-source", .level = Level::note}) {
  broadcast_from_outside<<<1, 32>>>(zeros<int>(32));
}

// A group of lanes that was found before the branch, used after it.
__global__ void stale_mask(const int* in, int* out) {
  const unsigned mask = __ballot_sync(0xffffffffu, in[threadIdx.x] == 0);
  if (threadIdx.x % 2 == 0) {
    out[threadIdx.x] = __shfl_sync(mask, 1, 0);  // fault: stale_mask
  } else {
    __syncwarp(0xaaaaaaaau);
  }
  __syncthreads();  // fault: stale_mask
}

FAULT(stale_mask, {.kind = "deadlock", .builds = Builds::both}) {
  stale_mask<<<1, 32>>>(zeros<int>(32), zeros<int>(32));
}
