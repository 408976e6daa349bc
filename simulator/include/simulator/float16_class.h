// File: simulator/float16_class.h
//
// The class of a 16-bit number and of a pair of them. Included once for each format, hence without
// a guard; cuda_fp16.h and cuda_bf16.h say before it what the names stand for:
//   __Real, __Pair            the two types
//   __Raw, __Raw_pair         their bits, as plain structs
//   __Other                   the 16-bit type of the other format
//   __Format                  its description in float16_conversion.h
//   __SIMULATOR_CONVERSIONS   0 where the program asked for no implicit conversions
//
// Constructors and conversions are CUDA's, no more and no fewer, so that overloads resolve, and are
// ambiguous, exactly where nvcc says so.

struct __align__(2) __Raw {
  unsigned short x;
};

struct __align__(4) __Raw_pair {
  unsigned short x;
  unsigned short y;
};

struct __align__(2) __Real {
 protected:
  unsigned short __x;

 public:
  // Trivial: arrays of these lie in shared memory.
  __Real() = default;

  __host__ __device__ inline constexpr __Real(const __Raw& __raw) : __x(__raw.x) {}
  __host__ __device__ inline __Real& operator=(const __Raw& __raw) {
    __x = __raw.x;
    return *this;
  }
  __host__ __device__ inline volatile __Real& operator=(const __Raw& __raw) volatile {
    __x = __raw.x;
    return *this;
  }
  __host__ __device__ inline volatile __Real& operator=(const volatile __Raw& __raw) volatile {
    __x = __raw.x;
    return *this;
  }
  __host__ __device__ inline operator __Raw() const { return __Raw{__x}; }
  __host__ __device__ inline operator __Raw() const volatile { return __Raw{__x}; }

#if __SIMULATOR_CONVERSIONS
  explicit __host__ __device__ __Real(__Other __f);

#define __SIMULATOR_FROM(type)                     \
  __host__ __device__ inline __Real(type __number) \
      : __x(__simulator::__encode<__simulator::__Format>(__number)) {}
#define __SIMULATOR_ASSIGN(type)                                  \
  __host__ __device__ inline __Real& operator=(type __number) {   \
    __x = __simulator::__encode<__simulator::__Format>(__number); \
    return *this;                                                 \
  }
#define __SIMULATOR_TO(type)                                               \
  __host__ __device__ inline operator type() const {                       \
    return __simulator::__to_integer<type, __simulator::__rounding::__rz>( \
        __simulator::__decode<__simulator::__Format>(__x));                \
  }

  __SIMULATOR_FROM(float)
  __SIMULATOR_FROM(double)
  __SIMULATOR_FROM(short)
  __SIMULATOR_FROM(unsigned short)
  __SIMULATOR_FROM(int)
  __SIMULATOR_FROM(unsigned int)
  __SIMULATOR_FROM(long)
  __SIMULATOR_FROM(unsigned long)
  __SIMULATOR_FROM(long long)
  __SIMULATOR_FROM(unsigned long long)

  __SIMULATOR_ASSIGN(float)
  __SIMULATOR_ASSIGN(double)
  __SIMULATOR_ASSIGN(short)
  __SIMULATOR_ASSIGN(unsigned short)
  __SIMULATOR_ASSIGN(int)
  __SIMULATOR_ASSIGN(unsigned int)
  __SIMULATOR_ASSIGN(long long)
  __SIMULATOR_ASSIGN(unsigned long long)

  __host__ __device__ inline operator float() const {
    return __simulator::__decode<__simulator::__Format>(__x);
  }
  __SIMULATOR_TO(signed char)
  __SIMULATOR_TO(unsigned char)
  __SIMULATOR_TO(char)
  __SIMULATOR_TO(short)
  __SIMULATOR_TO(unsigned short)
  __SIMULATOR_TO(int)
  __SIMULATOR_TO(unsigned int)
  __SIMULATOR_TO(long)
  __SIMULATOR_TO(unsigned long)
  __SIMULATOR_TO(long long)
  __SIMULATOR_TO(unsigned long long)
  __host__ __device__ inline constexpr operator bool() const { return (__x & 0x7fff) != 0; }

#undef __SIMULATOR_FROM
#undef __SIMULATOR_ASSIGN
#undef __SIMULATOR_TO
#endif  // __SIMULATOR_CONVERSIONS
};

// Copied as one value of four bytes, as the GPU does.
struct __align__(4) __Pair {
  __Real x;
  __Real y;

  __Pair() = default;
  __host__ __device__ inline constexpr __Pair(const __Real& __a, const __Real& __b)
      : x(__a), y(__b) {}
  __host__ __device__ inline __Pair(const __Raw_pair& __raw)
      : x(__Raw{__raw.x}), y(__Raw{__raw.y}) {}
  __host__ __device__ inline __Pair& operator=(const __Raw_pair& __raw) {
    return *this = __Pair(__raw);
  }
  __host__ __device__ inline operator __Raw_pair() const {
    return __Raw_pair{static_cast<__Raw>(x).x, static_cast<__Raw>(y).x};
  }
};

namespace __simulator {

template <>
struct __float16_traits<__Real> {
  using __raw = __Raw;
  using __format = __Format;
};

__host__ __device__ inline unsigned short __bits(const __Real __a) {
  return static_cast<__Raw>(__a).x;
}

__host__ __device__ inline float __value(const __Real __a) {
  return __decode<__Format>(__bits(__a));
}

}  // namespace __simulator
