// File: driver_functions.h
//
// make_cudaExtent and its like: one function for each struct that describes a copy in three
// dimensions.

#ifndef ANDREA_SIMULATOR_INCLUDE_DRIVER_FUNCTIONS_H_
#define ANDREA_SIMULATOR_INCLUDE_DRIVER_FUNCTIONS_H_

#define __DRIVER_FUNCTIONS_H__

#include <driver_types.h>

inline cudaPitchedPtr make_cudaPitchedPtr(void* __pointer, size_t __pitch, size_t __width,
                                          size_t __height) {
  return {__pointer, __pitch, __width, __height};
}
inline cudaPos make_cudaPos(size_t __x, size_t __y, size_t __z) { return {__x, __y, __z}; }
inline cudaExtent make_cudaExtent(size_t __width, size_t __height, size_t __depth) {
  return {__width, __height, __depth};
}

#endif  // ANDREA_SIMULATOR_INCLUDE_DRIVER_FUNCTIONS_H_
