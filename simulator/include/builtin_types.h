// File: builtin_types.h
//
// The types that CUDA's language and runtime build in, under the name by which programs include
// them.

#ifndef ANDREA_SIMULATOR_INCLUDE_BUILTIN_TYPES_H_
#define ANDREA_SIMULATOR_INCLUDE_BUILTIN_TYPES_H_

#include "device_types.h"
#include "driver_types.h"
#include "vector_types.h"

#endif  // ANDREA_SIMULATOR_INCLUDE_BUILTIN_TYPES_H_
