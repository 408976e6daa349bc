// File: device_types.h
//
// The rounding modes as CUDA numbers them.

#ifndef ANDREA_SIMULATOR_INCLUDE_DEVICE_TYPES_H_
#define ANDREA_SIMULATOR_INCLUDE_DEVICE_TYPES_H_

#define __DEVICE_TYPES_H__

enum cudaRoundMode {
  cudaRoundNearest,
  cudaRoundZero,
  cudaRoundPosInf,
  cudaRoundMinInf,
};

#endif  // ANDREA_SIMULATOR_INCLUDE_DEVICE_TYPES_H_
