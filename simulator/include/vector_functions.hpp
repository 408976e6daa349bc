// File: vector_functions.hpp
//
// In the toolkit the bodies of vector_functions.h, which some programs include in its place.

#ifndef ANDREA_SIMULATOR_INCLUDE_VECTOR_FUNCTIONS_HPP_
#define ANDREA_SIMULATOR_INCLUDE_VECTOR_FUNCTIONS_HPP_

#include "vector_functions.h"

#endif  // ANDREA_SIMULATOR_INCLUDE_VECTOR_FUNCTIONS_HPP_
