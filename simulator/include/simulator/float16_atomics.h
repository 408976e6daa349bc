// File: simulator/float16_atomics.h
//
// atomicAdd for a type of 16-bit floating point and its pair; cuda_fp16.h and cuda_bf16.h use it.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_FLOAT16_ATOMICS_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_FLOAT16_ATOMICS_H_

#include <simulator/atomics.h>

#define __SIMULATOR_FLOAT16_ATOMIC(NAME, TYPE, ADD)                                           \
  inline TYPE NAME(TYPE* __address, TYPE __value) {                                           \
    return __simulator::__update(__address, [=](TYPE __old) { return ADD(__old, __value); }); \
  }
#define __SIMULATOR_FLOAT16_ATOMICS(TYPE, ADD)           \
  __SIMULATOR_FLOAT16_ATOMIC(atomicAdd, TYPE, ADD)       \
  __SIMULATOR_FLOAT16_ATOMIC(atomicAdd_block, TYPE, ADD) \
  __SIMULATOR_FLOAT16_ATOMIC(atomicAdd_system, TYPE, ADD)

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_FLOAT16_ATOMICS_H_
