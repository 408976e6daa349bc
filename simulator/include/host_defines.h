// File: host_defines.h
//
// The qualifiers of CUDA (simulator/language.h) and the few words that the toolkit's own
// declarations use besides; programs include it under this name.

#ifndef ANDREA_SIMULATOR_INCLUDE_HOST_DEFINES_H_
#define ANDREA_SIMULATOR_INCLUDE_HOST_DEFINES_H_

#define __HOST_DEFINES_H__

#include "simulator/language.h"

#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define CUDARTAPI
#define CUDARTAPI_CDECL

#endif  // ANDREA_SIMULATOR_INCLUDE_HOST_DEFINES_H_
