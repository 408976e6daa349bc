// File: simulator/float16_operators.h
//
// The operators of a 16-bit type and of its pair, each a function of float16_functions.h. Included
// once for each format, hence without a guard, with the names set that those of float16_class.h are
// and
//   __SIMULATOR_OPERATORS, __SIMULATOR_PAIR_OPERATORS   0 where the program asked for none

#define __SIMULATOR_ARITHMETIC(type, operation, function)                                \
  __host__ __device__ inline type operator operation(const type& __a, const type& __b) { \
    return function(__a, __b);                                                           \
  }                                                                                      \
  __host__ __device__ inline type& operator operation##=(type& __a, const type& __b) {   \
    return __a = function(__a, __b);                                                     \
  }

#define __SIMULATOR_COMPARISON(type, operation, function)                                \
  __host__ __device__ inline bool operator operation(const type& __a, const type& __b) { \
    return function(__a, __b);                                                           \
  }

#define __SIMULATOR_STEP(type, operation, function, one)               \
  __host__ __device__ inline type& operator operation(type& __a) {     \
    return __a = function(__a, one);                                   \
  }                                                                    \
  __host__ __device__ inline type operator operation(type& __a, int) { \
    const type __before = __a;                                         \
    __a = function(__before, one);                                     \
    return __before;                                                   \
  }

#define __SIMULATOR_SIGN(type, negate)                                       \
  __host__ __device__ inline type operator+(const type& __a) { return __a; } \
  __host__ __device__ inline type operator-(const type& __a) { return negate(__a); }

#define __SIMULATOR_ONE __simulator::__round<__Real>(1.0f)

#if __SIMULATOR_OPERATORS
__SIMULATOR_ARITHMETIC(__Real, +, __hadd)
__SIMULATOR_ARITHMETIC(__Real, -, __hsub)
__SIMULATOR_ARITHMETIC(__Real, *, __hmul)
__SIMULATOR_ARITHMETIC(__Real, /, __hdiv)
__SIMULATOR_STEP(__Real, ++, __hadd, __SIMULATOR_ONE)
__SIMULATOR_STEP(__Real, --, __hsub, __SIMULATOR_ONE)
__SIMULATOR_SIGN(__Real, __hneg)
__SIMULATOR_COMPARISON(__Real, ==, __heq)
__SIMULATOR_COMPARISON(__Real, !=, __hneu)
__SIMULATOR_COMPARISON(__Real, >, __hgt)
__SIMULATOR_COMPARISON(__Real, <, __hlt)
__SIMULATOR_COMPARISON(__Real, >=, __hge)
__SIMULATOR_COMPARISON(__Real, <=, __hle)
#endif

// A comparison of pairs is true where it is true of both halves, != included.
#if __SIMULATOR_PAIR_OPERATORS
__SIMULATOR_ARITHMETIC(__Pair, +, __hadd2)
__SIMULATOR_ARITHMETIC(__Pair, -, __hsub2)
__SIMULATOR_ARITHMETIC(__Pair, *, __hmul2)
__SIMULATOR_ARITHMETIC(__Pair, /, __h2div)
__SIMULATOR_STEP(__Pair, ++, __hadd2, __Pair(__SIMULATOR_ONE, __SIMULATOR_ONE))
__SIMULATOR_STEP(__Pair, --, __hsub2, __Pair(__SIMULATOR_ONE, __SIMULATOR_ONE))
__SIMULATOR_SIGN(__Pair, __hneg2)
__SIMULATOR_COMPARISON(__Pair, ==, __hbeq2)
__SIMULATOR_COMPARISON(__Pair, !=, __hbneu2)
__SIMULATOR_COMPARISON(__Pair, >, __hbgt2)
__SIMULATOR_COMPARISON(__Pair, <, __hblt2)
__SIMULATOR_COMPARISON(__Pair, >=, __hbge2)
__SIMULATOR_COMPARISON(__Pair, <=, __hble2)
#endif

#undef __SIMULATOR_ARITHMETIC
#undef __SIMULATOR_COMPARISON
#undef __SIMULATOR_STEP
#undef __SIMULATOR_SIGN
#undef __SIMULATOR_ONE
