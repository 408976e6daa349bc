// File: float16_surface.cu
//
// Calls every function of cuda_fp16.h and cuda_bf16.h, with the argument and result types of CUDA.
// Compiled by the simulator (types_surface_test.cc) and by nvcc (nvcc -std=c++20 -arch=sm_80 -c).

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

// A result, its type checked.
template <typename Expected, typename Actual>
__device__ void of_type_exactly(Actual) {
  static_assert(std::is_same<Expected, Actual>::value, "another type than CUDA's");
}

#define IS_A(type, ...) of_type_exactly<type>(__VA_ARGS__)

// The functions whose names are the same for both types.
template <typename Real, typename Pair>
__device__ Real surface_of_arithmetic(Real a, Real b, Real c, Pair p, Pair q, Pair r) {
#define BINARY(name, pair_name) \
  IS_A(Real, name(a, b));       \
  IS_A(Pair, pair_name(p, q))
#define TERNARY(name, pair_name) \
  IS_A(Real, name(a, b, c));     \
  IS_A(Pair, pair_name(p, q, r))
#define UNARY(name, pair_name) \
  IS_A(Real, name(a));         \
  IS_A(Pair, pair_name(p))
#define COMPARE(name)                      \
  IS_A(bool, __h##name(a, b));             \
  IS_A(Pair, __h##name##2(p, q));          \
  IS_A(unsigned, __h##name##2_mask(p, q)); \
  IS_A(bool, __hb##name##2(p, q))
  BINARY(__hadd, __hadd2);
  BINARY(__hsub, __hsub2);
  BINARY(__hmul, __hmul2);
  BINARY(__hdiv, __h2div);
  BINARY(__hadd_rn, __hadd2_rn);
  BINARY(__hsub_rn, __hsub2_rn);
  BINARY(__hmul_rn, __hmul2_rn);
  BINARY(__hadd_sat, __hadd2_sat);
  BINARY(__hsub_sat, __hsub2_sat);
  BINARY(__hmul_sat, __hmul2_sat);
  BINARY(__hmax, __hmax2);
  BINARY(__hmin, __hmin2);
  BINARY(__hmax_nan, __hmax2_nan);
  BINARY(__hmin_nan, __hmin2_nan);
  TERNARY(__hfma, __hfma2);
  TERNARY(__hfma_sat, __hfma2_sat);
  TERNARY(__hfma_relu, __hfma2_relu);
  IS_A(Pair, __hcmadd(p, q, r));
  UNARY(__hneg, __hneg2);
  UNARY(__habs, __habs2);
  UNARY(htrunc, h2trunc);
  UNARY(hceil, h2ceil);
  UNARY(hfloor, h2floor);
  UNARY(hrint, h2rint);
  UNARY(hsqrt, h2sqrt);
  UNARY(hrsqrt, h2rsqrt);
  UNARY(hrcp, h2rcp);
  UNARY(hexp, h2exp);
  UNARY(hexp2, h2exp2);
  UNARY(hexp10, h2exp10);
  UNARY(hlog, h2log);
  UNARY(hlog2, h2log2);
  UNARY(hlog10, h2log10);
  UNARY(hsin, h2sin);
  UNARY(hcos, h2cos);
  UNARY(htanh, h2tanh);
  UNARY(htanh_approx, h2tanh_approx);
  COMPARE(eq);
  COMPARE(ne);
  COMPARE(le);
  COMPARE(ge);
  COMPARE(lt);
  COMPARE(gt);
  COMPARE(equ);
  COMPARE(neu);
  COMPARE(leu);
  COMPARE(geu);
  COMPARE(ltu);
  COMPARE(gtu);
  IS_A(bool, __hisnan(a));
  IS_A(Pair, __hisnan2(p));
  IS_A(int, __hisinf(a));
  IS_A(float, __low2float(p));
  IS_A(float, __high2float(p));
  IS_A(Pair, __lowhigh2highlow(p));

  // Operators and conversions of the class.
  Real x = a + b - a * b / c;
  x += a, x -= b, x *= c, x /= Real(2.0f), ++x, x--, x = -x, x = +x;
  Pair y = p + q - p * q / r;
  y += p, y -= q, y *= r, y /= p, ++y, y--, y = -y, y = +y;
  const bool order = a == b || a != b || a < b || a > b || a <= b || a >= b || p == q || p != q ||
                     p < q || p > q || p <= q || p >= q;
  x = 1.0f, x = 1.0, x = 1, x = 1u, x = 1ll, x = 1ull, x = static_cast<short>(1);
  const float f = x;
  const double d = static_cast<float>(x);
  const int i = static_cast<int>(x) + static_cast<short>(x) + static_cast<unsigned char>(x);
  return Real(order ? f : d) + Real(i) + Real(static_cast<long>(i)) + y.x;
}

// Names of one word, for casts.
using longlong = long long;
using ulonglong = unsigned long long;
using ushort = unsigned short;

// The functions that have the type in their names.
#define INTEGER(real, word, type)              \
  IS_A(type, __##real##2##word##_rn(x));       \
  IS_A(type, __##real##2##word##_rz(x));       \
  IS_A(type, __##real##2##word##_ru(x));       \
  IS_A(type, __##real##2##word##_rd(x));       \
  IS_A(Real, __##word##2##real##_rn(type(1))); \
  IS_A(Real, __##word##2##real##_rz(type(1))); \
  IS_A(Real, __##word##2##real##_ru(type(1))); \
  IS_A(Real, __##word##2##real##_rd(type(1)))
#define SURFACE_OF_CONVERSIONS(real, pair, RealType, PairType)                         \
  __device__ RealType surface_of_conversions_##real(RealType x, PairType p, float f) { \
    using Real = RealType;                                                             \
    using Pair = PairType;                                                             \
    IS_A(Real, __double2##real(1.0));                                                  \
    IS_A(Real, __float2##real(f));                                                     \
    IS_A(Real, __float2##real##_rn(f));                                                \
    IS_A(Real, __float2##real##_rz(f));                                                \
    IS_A(Real, __float2##real##_ru(f));                                                \
    IS_A(Real, __float2##real##_rd(f));                                                \
    IS_A(float, __##real##2float(x));                                                  \
    IS_A(signed char, __##real##2char_rz(x));                                          \
    IS_A(unsigned char, __##real##2uchar_rz(x));                                       \
    INTEGER(real, short, short);                                                       \
    INTEGER(real, ushort, ushort);                                                     \
    INTEGER(real, int, int);                                                           \
    INTEGER(real, uint, unsigned);                                                     \
    INTEGER(real, ll, longlong);                                                       \
    INTEGER(real, ull, ulonglong);                                                     \
    IS_A(short, __##real##_as_short(x));                                               \
    IS_A(unsigned short, __##real##_as_ushort(x));                                     \
    IS_A(Real, __short_as_##real(short(1)));                                           \
    IS_A(Real, __ushort_as_##real(ushort(1)));                                         \
    IS_A(Pair, make_##pair(x, x));                                                     \
    IS_A(Pair, __halves2##pair(x, x));                                                 \
    IS_A(Pair, __##real##2##pair(x));                                                  \
    IS_A(Pair, __floats2##pair##_rn(f, f));                                            \
    IS_A(Pair, __float2##pair##_rn(f));                                                \
    IS_A(Pair, __float22##pair##_rn(make_float2(f, f)));                               \
    IS_A(float2, __##pair##2float2(p));                                                \
    IS_A(Real, __low2##real(p));                                                       \
    IS_A(Real, __high2##real(p));                                                      \
    IS_A(Pair, __low2##pair(p));                                                       \
    IS_A(Pair, __high2##pair(p));                                                      \
    IS_A(Pair, __lows2##pair(p, p));                                                   \
    IS_A(Pair, __highs2##pair(p, p));                                                  \
    RealType##_raw raw = x;                                                            \
    PairType##_raw raw_pair = p;                                                       \
    Pair copy = raw_pair;                                                              \
    x = raw;                                                                           \
    return x + copy.x;                                                                 \
  }

SURFACE_OF_CONVERSIONS(half, half2, __half, __half2)
SURFACE_OF_CONVERSIONS(bfloat16, bfloat162, __nv_bfloat16, __nv_bfloat162)

__global__ void surface_of_float16(half* h, half2* h2, nv_bfloat16* b, nv_bfloat162* b2) {
  h[0] = surface_of_arithmetic(h[0], h[1], h[2], h2[0], h2[1], h2[2]);
  b[0] = surface_of_arithmetic(b[0], b[1], b[2], b2[0], b2[1], b2[2]);
  h[1] = surface_of_conversions_half(h[0], h2[0], 1.0f);
  b[1] = surface_of_conversions_bfloat16(b[0], b2[0], 1.0f);
  h[2] = half(b[0]);
  b[2] = nv_bfloat16(h[0]);
  h[0] = CUDART_INF_FP16, h[0] = CUDART_NAN_FP16, h[0] = CUDART_MIN_DENORM_FP16;
  h[0] = CUDART_MAX_NORMAL_FP16, h[0] = CUDART_NEG_ZERO_FP16, h[0] = CUDART_ZERO_FP16;
  h[0] = CUDART_ONE_FP16;
  b[0] = CUDART_INF_BF16, b[0] = CUDART_NAN_BF16, b[0] = CUDART_MIN_DENORM_BF16;
  b[0] = CUDART_MAX_NORMAL_BF16, b[0] = CUDART_NEG_ZERO_BF16, b[0] = CUDART_ZERO_BF16;
  b[0] = CUDART_ONE_BF16;
  __shared__ half shared_halves[8];
  __shared__ nv_bfloat162 shared_pairs[8];
  shared_halves[0] = h[0];
  shared_pairs[0] = b2[0];
  h[0] = shared_halves[0];
  b2[0] = shared_pairs[0];
}
