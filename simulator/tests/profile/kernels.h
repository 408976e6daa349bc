// File: kernels.h
//
// Kernels of which each count is known, behind plain functions. All sizes are in elements.

#ifndef ANDREA_SIMULATOR_TESTS_PROFILE_KERNELS_H_
#define ANDREA_SIMULATOR_TESTS_PROFILE_KERNELS_H_

namespace profile_test {

void vector_add(int n, int threads);  // c = a + b
void strided_read(int stride);        // 32 threads read floats that far apart
void misaligned_read();               // 32 threads read floats from the second of an array on
void float4_copy(int n);              // n float4 by blocks of 64

// An n x n matrix of floats by tiles of 32 x 32, a block of 32 x 8 threads each.
enum class Transpose { naive, tiled, padded };
void transpose(Transpose how, int n);

// n x n floats by blocks of 16 x 16.
void matmul_naive(int n);
void matmul_tiled(int n);

void shared_float2();           // a warp reads a float2 each, next to each other
void shared_float4();           // the same with float4
void shared_float2_strided();   // 32 bytes apart
void half_warp_broadcast();     // lanes 0-15 read one word, lanes 16-31 another of the same bank
void atomics_on_one_address();  // 64 threads: an integer in global and one in shared memory
void atomic_float();            // 32 threads add to 32 floats
void odd_lanes_count();         // odd lanes go round a loop 10 times, in registers
void divergent();               // even lanes read; odd lanes read elsewhere, twice
void rows_of(int width, int height);     // a block of that shape reads and writes a matrix by rows
void matched_after_barrier();            // lanes go round a loop differently often between barriers
void leave_before_barrier(int staying);  // that many of 48 threads pass a barrier
void local_array();                // a function that is not inlined fills an array of 64 bytes
void copies_struct();              // 32 threads copy a struct of 24 bytes
void reads_constant();             // 32 threads read one __constant__ float
void counts_in_device_variable();  // 32 threads add to a __device__ integer
void long_loop(int rounds);        // one block of 32: each thread reads `rounds` floats, in order
void initialise(int n);            // keeps device memory, for use_initialised
int use_initialised(int n);        // reads what initialise wrote; the sum

void templated();  // launches scale<2> and scale<3>

}  // namespace profile_test

#endif  // ANDREA_SIMULATOR_TESTS_PROFILE_KERNELS_H_
