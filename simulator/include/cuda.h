// File: cuda.h
//
// The simulator does not have the driver API (cuInit, cuLaunchKernel and so on): a program that
// calls it does not compile. Many programs include this header for the toolkit's version alone, so
// that is what it gives.

#ifndef ANDREA_SIMULATOR_INCLUDE_CUDA_H_
#define ANDREA_SIMULATOR_INCLUDE_CUDA_H_

#define CUDA_VERSION 13000

#endif  // ANDREA_SIMULATOR_INCLUDE_CUDA_H_
