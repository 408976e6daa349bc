// File: tensor_core.h
//
// For programs of the simulator. The header itself lies in a folder of its own, which nvcc can
// search without finding the simulator's cuda_runtime.h in place of NVIDIA's:
//
//   nvcc -std=c++20 -arch=sm_80 -I simulator/include/nvcc -c kernel.cu

#ifndef ANDREA_SIMULATOR_INCLUDE_TENSOR_CORE_H_
#define ANDREA_SIMULATOR_INCLUDE_TENSOR_CORE_H_

#include "nvcc/tensor_core.h"

#endif  // ANDREA_SIMULATOR_INCLUDE_TENSOR_CORE_H_
