// File: types_surface.cu
//
// Calls every function of the types and of the device mathematics at least once, with the argument
// and result types of CUDA. Compiled by the simulator (types_surface_test.cc) and by nvcc
// (nvcc -std=c++20 -arch=sm_80 -c), which shows that the names and signatures of both agree.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include <type_traits>

// A result, its type checked.
template <typename Expected, typename Actual>
__device__ double as_double_exactly(Actual value) {
  static_assert(std::is_same<Expected, Actual>::value, "another type than CUDA's");
  return static_cast<double>(value);
}

#define IS(type, ...) sink += as_double_exactly<type>(__VA_ARGS__)
#define IN_4_MODES(type, name, ...)                                   \
  IS(type, name##_rn(__VA_ARGS__)), IS(type, name##_rz(__VA_ARGS__)), \
      IS(type, name##_ru(__VA_ARGS__)), IS(type, name##_rd(__VA_ARGS__))
#define BOTH(name) IS(float, name##f(f)), IS(double, name(d)), IS(float, name(f))

__global__ void surface_of_mathematics(double* result, float f, double d, int i, long long ll) {
  double sink = 0;
  const unsigned u = static_cast<unsigned>(i);
  const unsigned long long ull = static_cast<unsigned long long>(ll);
  const long l = i;
  const unsigned long ul = u;
  float s = 0, c = 0;
  double sd = 0, cd = 0;
  int n = 0;

  IS(int, min(i, i)), IS(unsigned, min(u, u)), IS(unsigned, min(i, u)), IS(unsigned, max(u, i));
  IS(long, min(l, l)), IS(unsigned long, max(ul, ul)), IS(unsigned long, max(l, ul));
  IS(long long, max(ll, ll)), IS(unsigned long long, min(ull, ull));
  IS(unsigned long long, min(ll, ull)), IS(unsigned long long, min(ull, ll));
  IS(float, min(f, f)), IS(double, max(d, d)), IS(double, max(f, d)), IS(double, min(d, f));
  IS(unsigned, umin(u, u)), IS(long long, llmax(ll, ll)), IS(unsigned long long, ullmin(ull, ull));

  BOTH(rsqrt), BOTH(rcbrt), BOTH(sinpi), BOTH(cospi), BOTH(erfinv), BOTH(erfcinv), BOTH(erfcx);
  BOTH(normcdf), BOTH(normcdfinv), BOTH(cyl_bessel_i0), BOTH(cyl_bessel_i1), BOTH(exp10);
  BOTH(sqrt), BOTH(cbrt), BOTH(sin), BOTH(cos), BOTH(tan), BOTH(asin), BOTH(acos), BOTH(atan);
  BOTH(sinh), BOTH(cosh), BOTH(tanh), BOTH(asinh), BOTH(acosh), BOTH(atanh), BOTH(exp), BOTH(exp2);
  BOTH(expm1), BOTH(log), BOTH(log2), BOTH(log10), BOTH(log1p), BOTH(logb), BOTH(erf), BOTH(erfc);
  BOTH(tgamma), BOTH(lgamma), BOTH(floor), BOTH(ceil), BOTH(trunc), BOTH(round), BOTH(rint);
  BOTH(nearbyint), BOTH(fabs), BOTH(j0), BOTH(j1), BOTH(y0), BOTH(y1);
  IS(float, jnf(i, f)), IS(double, jn(i, d)), IS(float, ynf(i, f)), IS(double, yn(i, d));
  IS(float, fmaxf(f, f)), IS(float, fminf(f, f)), IS(double, fmax(d, d)), IS(double, fmin(d, d));
  IS(float, powf(f, f)), IS(float, atan2f(f, f)), IS(float, fmodf(f, f)), IS(float, hypotf(f, f));
  IS(float, fmaf(f, f, f)), IS(double, fma(d, d, d)), IS(float, fdimf(f, f));
  IS(float, copysignf(f, f)), IS(float, nextafterf(f, f)), IS(float, remainderf(f, f));
  IS(float, ldexpf(f, i)), IS(float, scalbnf(f, i)), IS(int, ilogbf(f)), IS(long, lrintf(f));
  IS(long, lroundf(f)), IS(long long, llrintf(f)), IS(long long, llroundf(f));
  IS(float, rhypotf(f, f)), IS(double, rhypot(d, d)), IS(float, norm3df(f, f, f));
  IS(float, rnorm3df(f, f, f)), IS(float, norm4df(f, f, f, f)), IS(float, rnorm4df(f, f, f, f));
  IS(double, norm3d(d, d, d)), IS(double, rnorm3d(d, d, d)), IS(double, norm4d(d, d, d, d));
  IS(double, rnorm4d(d, d, d, d)), IS(float, normf(1, &f)), IS(float, rnormf(1, &f));
  IS(double, norm(1, &d)), IS(double, rnorm(1, &d));
  sincosf(f, &s, &c), sincos(d, &sd, &cd), sincospif(f, &s, &c), sincospi(d, &sd, &cd);
  sincos(f, &s, &c), sincospi(f, &s, &c);
  IS(float, modff(f, &s)), IS(double, modf(d, &sd)), IS(float, frexpf(f, &n));
  IS(double, frexp(d, &n)), IS(float, remquof(f, f, &n)), IS(double, remquo(d, d, &n));
  sink += isnan(f) + isinf(d) + isfinite(f) + signbit(d);
  IS(int, abs(i)), IS(float, abs(f)), IS(long long, llabs(ll));

  IS(float, __expf(f)), IS(float, __exp10f(f)), IS(float, __logf(f)), IS(float, __log2f(f));
  IS(float, __log10f(f)), IS(float, __powf(f, f)), IS(float, __sinf(f)), IS(float, __cosf(f));
  IS(float, __tanf(f)), IS(float, __fdividef(f, f)), IS(float, fdividef(f, f));
  IS(double, fdivide(d, d)), IS(float, __saturatef(f));
  __sincosf(f, &s, &c);

  IN_4_MODES(float, __fadd, f, f);
  IN_4_MODES(float, __fsub, f, f);
  IN_4_MODES(float, __fmul, f, f);
  IN_4_MODES(float, __fdiv, f, f);
  IN_4_MODES(float, __fmaf, f, f, f);
  IN_4_MODES(float, __fmaf_ieee, f, f, f);
  IN_4_MODES(float, __frcp, f);
  IN_4_MODES(float, __fsqrt, f);
  IS(float, __frsqrt_rn(f));
  IN_4_MODES(double, __dadd, d, d);
  IN_4_MODES(double, __dsub, d, d);
  IN_4_MODES(double, __dmul, d, d);
  IN_4_MODES(double, __ddiv, d, d);
  IN_4_MODES(double, __fma, d, d, d);
  IN_4_MODES(double, __drcp, d);
  IN_4_MODES(double, __dsqrt, d);
  IN_4_MODES(float, __double2float, d);
  IN_4_MODES(int, __double2int, d);
  IN_4_MODES(unsigned, __double2uint, d);
  IN_4_MODES(long long, __double2ll, d);
  IN_4_MODES(unsigned long long, __double2ull, d);
  IN_4_MODES(int, __float2int, f);
  IN_4_MODES(unsigned, __float2uint, f);
  IN_4_MODES(long long, __float2ll, f);
  IN_4_MODES(unsigned long long, __float2ull, f);
  IN_4_MODES(float, __int2float, i);
  IN_4_MODES(float, __uint2float, u);
  IN_4_MODES(float, __ll2float, ll);
  IN_4_MODES(float, __ull2float, ull);
  IN_4_MODES(double, __ll2double, ll);
  IN_4_MODES(double, __ull2double, ull);
  IS(double, __int2double_rn(i)), IS(double, __uint2double_rn(u));
  IS(int, __float_as_int(f)), IS(unsigned, __float_as_uint(f)), IS(float, __int_as_float(i));
  IS(float, __uint_as_float(u)), IS(long long, __double_as_longlong(d));
  IS(double, __longlong_as_double(ll)), IS(int, __double2hiint(d)), IS(int, __double2loint(d));
  IS(double, __hiloint2double(i, i));

  IS(int, __popc(u)), IS(int, __popcll(ull)), IS(int, __clz(i)), IS(int, __clzll(ll));
  IS(int, __ffs(i)), IS(int, __ffsll(ll)), IS(unsigned, __brev(u));
  IS(unsigned long long, __brevll(ull)), IS(unsigned, __byte_perm(u, u, u));
  IS(unsigned, __funnelshift_l(u, u, u)), IS(unsigned, __funnelshift_r(u, u, u));
  IS(unsigned, __funnelshift_lc(u, u, u)), IS(unsigned, __funnelshift_rc(u, u, u));
  IS(int, __mulhi(i, i)), IS(unsigned, __umulhi(u, u)), IS(long long, __mul64hi(ll, ll));
  IS(unsigned long long, __umul64hi(ull, ull)), IS(int, __mul24(i, i)),
      IS(unsigned, __umul24(u, u));
  IS(unsigned, __sad(i, i, u)), IS(unsigned, __usad(u, u, u)), IS(int, __hadd(i, i));
  IS(int, __rhadd(i, i)), IS(unsigned, __uhadd(u, u)), IS(unsigned, __urhadd(u, u));
  const char4 c4 = make_char4(1, 2, 3, 4);
  const uchar4 u4 = make_uchar4(1, 2, 3, 4);
  const short2 s2 = make_short2(1, 2);
  const ushort2 us2 = make_ushort2(1, 2);
  IS(int, __dp4a(i, i, i)), IS(unsigned, __dp4a(u, u, u)), IS(int, __dp4a(c4, c4, i));
  IS(unsigned, __dp4a(u4, u4, u)), IS(int, __dp2a_lo(i, i, i)), IS(unsigned, __dp2a_hi(u, u, u));
  IS(int, __viaddmax_s32_relu(i, i, i)), IS(unsigned, __vimin3_u16x2(u, u, u));
  IS(int, __dp2a_hi(s2, c4, i)), IS(unsigned, __dp2a_lo(us2, u4, u));

  IS(float, CUDART_INF_F), IS(float, CUDART_NAN_F), IS(float, CUDART_PI_F), IS(double, CUDART_INF);
  IS(double, CUDART_NAN), IS(double, CUDART_PI), IS(float, CUDART_MAX_NORMAL_F);
  *result = sink + s + c + sd + cd + n;
}

#define IN_PARTS(name)         \
  IS(unsigned, name##2(u, v)); \
  IS(unsigned, name##4(u, v))
#define IN_PARTS_UNARY(name) \
  IS(unsigned, name##2(u));  \
  IS(unsigned, name##4(u))
#define COMPARED(name)    \
  IN_PARTS(__vcmp##name); \
  IN_PARTS(__vset##name)

__global__ void surface_of_simd(double* result, unsigned u, unsigned v) {
  double sink = 0;
  IN_PARTS(__vadd);
  IN_PARTS(__vaddss);
  IN_PARTS(__vaddus);
  IN_PARTS(__vsub);
  IN_PARTS(__vsubss);
  IN_PARTS(__vsubus);
  IN_PARTS(__vavgs);
  IN_PARTS(__vavgu);
  IN_PARTS(__vhaddu);
  IN_PARTS(__vmaxs);
  IN_PARTS(__vmaxu);
  IN_PARTS(__vmins);
  IN_PARTS(__vminu);
  IN_PARTS(__vabsdiffs);
  IN_PARTS(__vabsdiffu);
  IN_PARTS(__vsads);
  IN_PARTS(__vsadu);
  IN_PARTS_UNARY(__vneg);
  IN_PARTS_UNARY(__vnegss);
  IN_PARTS_UNARY(__vabs);
  IN_PARTS_UNARY(__vabsss);
  COMPARED(eq);
  COMPARED(ne);
  COMPARED(ges);
  COMPARED(geu);
  COMPARED(gts);
  COMPARED(gtu);
  COMPARED(les);
  COMPARED(leu);
  COMPARED(lts);
  COMPARED(ltu);
  *result = sink;
}

template <typename T>
__device__ void access(T* p) {
  T value = __ldg(p);
  value = __ldca(p), value = __ldcg(p), value = __ldcs(p), value = __ldlu(p), value = __ldcv(p);
  __stwb(p, value), __stcg(p, value), __stcs(p, value), __stwt(p, value);
}

__global__ void surface_of_accesses(void* p) {
  access(static_cast<char*>(p)), access(static_cast<signed char*>(p));
  access(static_cast<unsigned char*>(p)), access(static_cast<short*>(p));
  access(static_cast<int*>(p)), access(static_cast<unsigned long*>(p));
  access(static_cast<long long*>(p)), access(static_cast<float*>(p));
  access(static_cast<double*>(p)), access(static_cast<char4*>(p)), access(static_cast<int2*>(p));
  access(static_cast<uint4*>(p)), access(static_cast<float2*>(p)), access(static_cast<float4*>(p));
  access(static_cast<double2*>(p)), access(static_cast<longlong2*>(p));
  access(static_cast<__half*>(p)), access(static_cast<__half2*>(p));
  access(static_cast<__nv_bfloat16*>(p)), access(static_cast<__nv_bfloat162*>(p));
}
