// File: editor.h
//
// For editors, whose clangd parses CUDA as clang knows it: included before the source, by the
// compile_commands.json that `./andrea ide` writes. Qualifiers are clang's attributes then, so that
// <<<...>>> is understood, and every function may be called from everywhere, as the simulator has
// it. Nothing is compiled with this.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_EDITOR_H_
#define ANDREA_TOOLS_COURSE_RUNNER_EDITOR_H_

#ifndef __CUDACC__
#define __CUDACC__
#endif

// clang's own headers add overloads for the device, which are others only by the attribute.
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#include <cstdlib>
#include <exception>
#include <new>

// What is declared from here on is of the host and of the device.
#pragma clang force_cuda_host_device begin
#include <algorithm>
#include <complex>
#undef __host__
#undef __device__

// Functions of g++ that clang does not have built in.
float __builtin_exp10f(float);
double __builtin_exp10(double);
float __builtin_j0f(float);
double __builtin_j0(double);
float __builtin_j1f(float);
double __builtin_j1(double);
float __builtin_jnf(int, float);
double __builtin_jn(int, double);
float __builtin_y0f(float);
double __builtin_y0(double);
float __builtin_y1f(float);
double __builtin_y1(double);
float __builtin_ynf(int, float);
double __builtin_yn(int, double);

#include <cuda_runtime.h>

#undef __host__
#undef __device__
#undef __global__
#undef __shared__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __SIMULATOR_NOINLINE __attribute__((noinline))

// What clang turns a launch into: of old and of new toolkits.
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, unsigned long shared_bytes = 0,
                                 cudaStream_t stream = nullptr);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                unsigned long shared_bytes = 0,
                                                void* stream = nullptr);

#endif  // ANDREA_TOOLS_COURSE_RUNNER_EDITOR_H_
