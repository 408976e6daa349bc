// File: simulator/float16_functions.h
//
// Conversions, arithmetic, comparisons and functions of a 16-bit type and of its pair. Included
// once for each format, hence without a guard, after float16_class.h and with the same names set,
// and
//   __REAL, __PAIR   how function names call the types: half and half2, bfloat16 and bfloat162
//
// Every operation gives the exact result rounded once to nearest even, as the GPU does; functions
// such as hexp are computed in double and rounded once. Pairs do the same in each half.

#define __SIMULATOR_FLOAT16 __host__ __device__ inline
#define __SIMULATOR_JOIN_EXPANDED(a, b, c) a##b##c
#define __SIMULATOR_JOIN(a, b, c) __SIMULATOR_JOIN_EXPANDED(a, b, c)

// ---- Conversions ----

#define __SIMULATOR_CONVERT(name, type, mode)                                \
  __SIMULATOR_FLOAT16 __Real name(const type __a) {                          \
    return __simulator::__round<__Real, __simulator::__rounding::mode>(__a); \
  }

__SIMULATOR_CONVERT(__SIMULATOR_JOIN(__double2, __REAL, ), double, __rn)
__SIMULATOR_CONVERT(__SIMULATOR_JOIN(__float2, __REAL, ), float, __rn)
__SIMULATOR_CONVERT(__SIMULATOR_JOIN(__float2, __REAL, _rn), float, __rn)
__SIMULATOR_CONVERT(__SIMULATOR_JOIN(__float2, __REAL, _rz), float, __rz)
__SIMULATOR_CONVERT(__SIMULATOR_JOIN(__float2, __REAL, _rd), float, __rd)
__SIMULATOR_CONVERT(__SIMULATOR_JOIN(__float2, __REAL, _ru), float, __ru)

__SIMULATOR_FLOAT16 float __SIMULATOR_JOIN(__, __REAL, 2float)(const __Real __a) {
  return __simulator::__value(__a);
}

// To an integer and back, in the four modes.
#define __SIMULATOR_TO_INTEGER(word, type, suffix)                                           \
  __SIMULATOR_FLOAT16 type __SIMULATOR_JOIN(__, __REAL, 2##word##suffix)(const __Real __a) { \
    return __simulator::__to_integer<type, __simulator::__rounding::_##suffix>(              \
        __simulator::__value(__a));                                                          \
  }
#define __SIMULATOR_INTEGER_MODE(word, type, suffix) \
  __SIMULATOR_TO_INTEGER(word, type, suffix)         \
  __SIMULATOR_CONVERT(__SIMULATOR_JOIN(__##word##2, __REAL, suffix), type, _##suffix)
#define __SIMULATOR_INTEGER(word, type)     \
  __SIMULATOR_INTEGER_MODE(word, type, _rn) \
  __SIMULATOR_INTEGER_MODE(word, type, _rz) \
  __SIMULATOR_INTEGER_MODE(word, type, _rd) \
  __SIMULATOR_INTEGER_MODE(word, type, _ru)

__SIMULATOR_TO_INTEGER(char, signed char, _rz)
__SIMULATOR_TO_INTEGER(uchar, unsigned char, _rz)
__SIMULATOR_INTEGER(short, short)
__SIMULATOR_INTEGER(ushort, unsigned short)
__SIMULATOR_INTEGER(int, int)
__SIMULATOR_INTEGER(uint, unsigned int)
__SIMULATOR_INTEGER(ll, long long)
__SIMULATOR_INTEGER(ull, unsigned long long)

// Bits.
__SIMULATOR_FLOAT16 short __SIMULATOR_JOIN(__, __REAL, _as_short)(const __Real __a) {
  return static_cast<short>(__simulator::__bits(__a));
}
__SIMULATOR_FLOAT16 unsigned short __SIMULATOR_JOIN(__, __REAL, _as_ushort)(const __Real __a) {
  return __simulator::__bits(__a);
}
__SIMULATOR_FLOAT16 __Real __SIMULATOR_JOIN(__short_as_, __REAL, )(const short __a) {
  return __Real(__Raw{static_cast<unsigned short>(__a)});
}
__SIMULATOR_FLOAT16 __Real __SIMULATOR_JOIN(__ushort_as_, __REAL, )(const unsigned short __a) {
  return __Real(__Raw{__a});
}

// Pairs from numbers and numbers from pairs; the low half is x.
__SIMULATOR_FLOAT16 __Pair __SIMULATOR_JOIN(make_, __PAIR, )(const __Real __x, const __Real __y) {
  return __Pair(__x, __y);
}
__SIMULATOR_FLOAT16 __Pair __SIMULATOR_JOIN(__halves2, __PAIR, )(const __Real __a,
                                                                 const __Real __b) {
  return __Pair(__a, __b);
}
__SIMULATOR_FLOAT16 __Pair __SIMULATOR_JOIN(__SIMULATOR_JOIN(__, __REAL, 2),
                                            __PAIR, )(const __Real __a) {
  return __Pair(__a, __a);
}
__SIMULATOR_FLOAT16 __Pair __SIMULATOR_JOIN(__floats2, __PAIR, _rn)(const float __a,
                                                                    const float __b) {
  return __Pair(__simulator::__round<__Real>(__a), __simulator::__round<__Real>(__b));
}
__SIMULATOR_FLOAT16 __Pair __SIMULATOR_JOIN(__float2, __PAIR, _rn)(const float __a) {
  return __SIMULATOR_JOIN(__floats2, __PAIR, _rn)(__a, __a);
}
__SIMULATOR_FLOAT16 __Pair __SIMULATOR_JOIN(__float22, __PAIR, _rn)(const float2 __a) {
  return __SIMULATOR_JOIN(__floats2, __PAIR, _rn)(__a.x, __a.y);
}
__SIMULATOR_FLOAT16 float2 __SIMULATOR_JOIN(__, __PAIR, 2float2)(const __Pair __a) {
  return float2{__simulator::__value(__a.x), __simulator::__value(__a.y)};
}
__SIMULATOR_FLOAT16 float __low2float(const __Pair __a) { return __simulator::__value(__a.x); }
__SIMULATOR_FLOAT16 float __high2float(const __Pair __a) { return __simulator::__value(__a.y); }
__SIMULATOR_FLOAT16 __Real __SIMULATOR_JOIN(__low2, __REAL, )(const __Pair __a) { return __a.x; }
__SIMULATOR_FLOAT16 __Real __SIMULATOR_JOIN(__high2, __REAL, )(const __Pair __a) { return __a.y; }
__SIMULATOR_FLOAT16 __Pair __SIMULATOR_JOIN(__low2, __PAIR, )(const __Pair __a) {
  return __Pair(__a.x, __a.x);
}
__SIMULATOR_FLOAT16 __Pair __SIMULATOR_JOIN(__high2, __PAIR, )(const __Pair __a) {
  return __Pair(__a.y, __a.y);
}
__SIMULATOR_FLOAT16 __Pair __SIMULATOR_JOIN(__lows2, __PAIR, )(const __Pair __a, const __Pair __b) {
  return __Pair(__a.x, __b.x);
}
__SIMULATOR_FLOAT16 __Pair __SIMULATOR_JOIN(__highs2, __PAIR, )(const __Pair __a,
                                                                const __Pair __b) {
  return __Pair(__a.y, __b.y);
}
__SIMULATOR_FLOAT16 __Pair __lowhigh2highlow(const __Pair __a) { return __Pair(__a.y, __a.x); }

// ---- Arithmetic ----

// `formula` is in __x, __y (and __z), the arguments' values.
#define __SIMULATOR_BINARY(name, pair_name, formula)                         \
  __SIMULATOR_FLOAT16 __Real name(const __Real __a, const __Real __b) {      \
    using __arithmetic = __simulator::__Format::__arithmetic;                \
    const __arithmetic __x = __simulator::__value(__a);                      \
    const __arithmetic __y = __simulator::__value(__b);                      \
    return __simulator::__round<__Real>(formula);                            \
  }                                                                          \
  __SIMULATOR_FLOAT16 __Pair pair_name(const __Pair __a, const __Pair __b) { \
    return __Pair(name(__a.x, __b.x), name(__a.y, __b.y));                   \
  }

__SIMULATOR_BINARY(__hadd, __hadd2, __x + __y)
__SIMULATOR_BINARY(__hsub, __hsub2, __x - __y)
__SIMULATOR_BINARY(__hmul, __hmul2, __x* __y)
__SIMULATOR_BINARY(__hdiv, __h2div, __x / __y)
// _rn forbids nvcc to fuse the operation with another one; nothing is ever fused here.
__SIMULATOR_BINARY(__hadd_rn, __hadd2_rn, __x + __y)
__SIMULATOR_BINARY(__hsub_rn, __hsub2_rn, __x - __y)
__SIMULATOR_BINARY(__hmul_rn, __hmul2_rn, __x* __y)
__SIMULATOR_BINARY(__hadd_sat, __hadd2_sat, __simulator::__saturated(__x + __y))
__SIMULATOR_BINARY(__hsub_sat, __hsub2_sat, __simulator::__saturated(__x - __y))
__SIMULATOR_BINARY(__hmul_sat, __hmul2_sat, __simulator::__saturated(__x* __y))
// One NaN is ignored, +0 is larger than -0; the _nan forms give NaN for any NaN.
__SIMULATOR_BINARY(__hmax, __hmax2, __simulator::__larger(__x, __y))
__SIMULATOR_BINARY(__hmin, __hmin2, __simulator::__smaller(__x, __y))
__SIMULATOR_BINARY(__hmax_nan, __hmax2_nan,
                   __x != __x || __y != __y ? __x + __y : __simulator::__larger(__x, __y))
__SIMULATOR_BINARY(__hmin_nan, __hmin2_nan,
                   __x != __x || __y != __y ? __x + __y : __simulator::__smaller(__x, __y))

// The product is exact in double, and the sum is rounded to odd before its one true rounding.
#define __SIMULATOR_FUSED(name, pair_name, formula)                                            \
  __SIMULATOR_FLOAT16 __Real name(const __Real __a, const __Real __b, const __Real __c) {      \
    const double __product =                                                                   \
        static_cast<double>(__simulator::__value(__a)) * __simulator::__value(__b);            \
    const double __x = __simulator::__sum_to_odd(__product, __simulator::__value(__c));        \
    return __simulator::__round<__Real>(formula);                                              \
  }                                                                                            \
  __SIMULATOR_FLOAT16 __Pair pair_name(const __Pair __a, const __Pair __b, const __Pair __c) { \
    return __Pair(name(__a.x, __b.x, __c.x), name(__a.y, __b.y, __c.y));                       \
  }

__SIMULATOR_FUSED(__hfma, __hfma2, __x)
__SIMULATOR_FUSED(__hfma_sat, __hfma2_sat, __simulator::__saturated(__x))
__SIMULATOR_FUSED(__hfma_relu, __hfma2_relu, __x <= 0 ? 0.0 : __x)

__SIMULATOR_FLOAT16 __Real __hneg(const __Real __a) {
  return __Real(__Raw{static_cast<unsigned short>(__simulator::__bits(__a) ^ 0x8000)});
}
__SIMULATOR_FLOAT16 __Real __habs(const __Real __a) {
  return __Real(__Raw{static_cast<unsigned short>(__simulator::__bits(__a) & 0x7fff)});
}
__SIMULATOR_FLOAT16 __Pair __hneg2(const __Pair __a) {
  return __Pair(__hneg(__a.x), __hneg(__a.y));
}
__SIMULATOR_FLOAT16 __Pair __habs2(const __Pair __a) {
  return __Pair(__habs(__a.x), __habs(__a.y));
}

// a * b + c of complex numbers (x + iy), four fused multiply-adds.
__SIMULATOR_FLOAT16 __Pair __hcmadd(const __Pair __a, const __Pair __b, const __Pair __c) {
  const __Real __x = __hfma(__a.x, __b.x, __c.x);
  const __Real __y = __hfma(__a.x, __b.y, __c.y);
  return __Pair(__hfma(__hneg(__a.y), __b.y, __x), __hfma(__a.y, __b.x, __y));
}

// ---- Comparisons ----

// The plain forms are false where either number is NaN, those with a u true. Of pairs: 1 or 0 in
// each half, all bits or none in each half, or true where both halves are.
#define __SIMULATOR_COMPARE(name, formula)                                                 \
  __SIMULATOR_FLOAT16 bool __h##name(const __Real __a, const __Real __b) {                 \
    const float __x = __simulator::__value(__a);                                           \
    const float __y = __simulator::__value(__b);                                           \
    return formula;                                                                        \
  }                                                                                        \
  __SIMULATOR_FLOAT16 __Pair __h##name##2(const __Pair __a, const __Pair __b) {            \
    return __Pair(__simulator::__round<__Real>(__h##name(__a.x, __b.x) ? 1.0f : 0.0f),     \
                  __simulator::__round<__Real>(__h##name(__a.y, __b.y) ? 1.0f : 0.0f));    \
  }                                                                                        \
  __SIMULATOR_FLOAT16 unsigned int __h##name##2_mask(const __Pair __a, const __Pair __b) { \
    return (__h##name(__a.x, __b.x) ? 0xffffu : 0u) |                                      \
           (__h##name(__a.y, __b.y) ? 0xffff0000u : 0u);                                   \
  }                                                                                        \
  __SIMULATOR_FLOAT16 bool __hb##name##2(const __Pair __a, const __Pair __b) {             \
    return __h##name(__a.x, __b.x) && __h##name(__a.y, __b.y);                             \
  }

__SIMULATOR_COMPARE(eq, __x == __y)
__SIMULATOR_COMPARE(ne, __x<__y || __x> __y)
__SIMULATOR_COMPARE(le, __x <= __y)
__SIMULATOR_COMPARE(ge, __x >= __y)
__SIMULATOR_COMPARE(lt, __x < __y)
__SIMULATOR_COMPARE(gt, __x > __y)
__SIMULATOR_COMPARE(equ, !(__x < __y || __x > __y))
__SIMULATOR_COMPARE(neu, !(__x == __y))
__SIMULATOR_COMPARE(leu, !(__x > __y))
__SIMULATOR_COMPARE(geu, !(__x < __y))
__SIMULATOR_COMPARE(ltu, !(__x >= __y))
__SIMULATOR_COMPARE(gtu, !(__x <= __y))

__SIMULATOR_FLOAT16 bool __hisnan(const __Real __a) {
  const float __x = __simulator::__value(__a);
  return __x != __x;
}
__SIMULATOR_FLOAT16 __Pair __hisnan2(const __Pair __a) {
  return __Pair(__simulator::__round<__Real>(__hisnan(__a.x) ? 1.0f : 0.0f),
                __simulator::__round<__Real>(__hisnan(__a.y) ? 1.0f : 0.0f));
}
// 1 for infinity, -1 for minus infinity, else 0.
__SIMULATOR_FLOAT16 int __hisinf(const __Real __a) {
  const float __x = __simulator::__value(__a);
  return __builtin_fabsf(__x) == __builtin_inff() ? (__x > 0 ? 1 : -1) : 0;
}

// ---- Functions ----

// `formula` is in __x, the argument's value.
#define __SIMULATOR_UNARY(name, pair_name, formula)        \
  __SIMULATOR_FLOAT16 __Real name(const __Real __a) {      \
    const double __x = __simulator::__value(__a);          \
    return __simulator::__round<__Real>(formula);          \
  }                                                        \
  __SIMULATOR_FLOAT16 __Pair pair_name(const __Pair __a) { \
    return __Pair(name(__a.x), name(__a.y));               \
  }

__SIMULATOR_UNARY(htrunc, h2trunc, __builtin_trunc(__x))
__SIMULATOR_UNARY(hceil, h2ceil, __builtin_ceil(__x))
__SIMULATOR_UNARY(hfloor, h2floor, __builtin_floor(__x))
__SIMULATOR_UNARY(hrint, h2rint, __builtin_rint(__x))
__SIMULATOR_UNARY(hsqrt, h2sqrt, __builtin_sqrt(__x))
__SIMULATOR_UNARY(hrsqrt, h2rsqrt, 1.0 / __builtin_sqrt(__x))
__SIMULATOR_UNARY(hrcp, h2rcp, 1.0 / __x)
__SIMULATOR_UNARY(hexp, h2exp, __builtin_exp(__x))
__SIMULATOR_UNARY(hexp2, h2exp2, __builtin_exp2(__x))
__SIMULATOR_UNARY(hexp10, h2exp10, __builtin_exp10(__x))
__SIMULATOR_UNARY(hlog, h2log, __builtin_log(__x))
__SIMULATOR_UNARY(hlog2, h2log2, __builtin_log2(__x))
__SIMULATOR_UNARY(hlog10, h2log10, __builtin_log10(__x))
__SIMULATOR_UNARY(hsin, h2sin, __builtin_sin(__x))
__SIMULATOR_UNARY(hcos, h2cos, __builtin_cos(__x))
__SIMULATOR_UNARY(htanh, h2tanh, __builtin_tanh(__x))
// The GPU's own approximation; here the accurate result, within its error.
__SIMULATOR_UNARY(htanh_approx, h2tanh_approx, __builtin_tanh(__x))

#undef __SIMULATOR_FLOAT16
#undef __SIMULATOR_JOIN_EXPANDED
#undef __SIMULATOR_JOIN
#undef __SIMULATOR_CONVERT
#undef __SIMULATOR_TO_INTEGER
#undef __SIMULATOR_INTEGER_MODE
#undef __SIMULATOR_INTEGER
#undef __SIMULATOR_BINARY
#undef __SIMULATOR_FUSED
#undef __SIMULATOR_COMPARE
#undef __SIMULATOR_UNARY
