// File: simulator/memory_access.h
//
// Loads and stores that tell the caches what to expect: __ldg (read-only), __ldca, __ldcg, __ldcs,
// __ldlu, __ldcv, __stwb, __stcg, __stcs, __stwt. They change speed, not results; here they are
// plain accesses, which the checker sees as such.
//
// As in CUDA they take the scalar types and their vectors of 2 and 4 elements up to 16 bytes, not
// float3 or a struct of one's own. Headers of further types add theirs by __SIMULATOR_ACCESSIBLE.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_MEMORY_ACCESS_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_MEMORY_ACCESS_H_

#include "simulator/language.h"
#include "vector_types.h"

namespace __simulator {

template <typename __Type>
constexpr bool __is_accessible = false;

// Keeps a parameter out of the deduction: the value is converted to what the pointer points to, as
// an overload for that type would have it.
template <typename __Type>
struct __same {
  using __type = __Type;
};

}  // namespace __simulator

#define __SIMULATOR_ACCESSIBLE(type) \
  template <>                        \
  constexpr bool __simulator::__is_accessible<type> = true;

#define __SIMULATOR_ACCESSIBLE_FAMILY(scalar, vector) \
  __SIMULATOR_ACCESSIBLE(scalar)                      \
  __SIMULATOR_ACCESSIBLE(vector##2)                   \
  __SIMULATOR_ACCESSIBLE(vector##4)

__SIMULATOR_ACCESSIBLE(char)
__SIMULATOR_ACCESSIBLE_FAMILY(signed char, char)
__SIMULATOR_ACCESSIBLE_FAMILY(unsigned char, uchar)
__SIMULATOR_ACCESSIBLE_FAMILY(short, short)
__SIMULATOR_ACCESSIBLE_FAMILY(unsigned short, ushort)
__SIMULATOR_ACCESSIBLE_FAMILY(int, int)
__SIMULATOR_ACCESSIBLE_FAMILY(unsigned int, uint)
__SIMULATOR_ACCESSIBLE(long)
__SIMULATOR_ACCESSIBLE(unsigned long)
__SIMULATOR_ACCESSIBLE(long long)
__SIMULATOR_ACCESSIBLE(unsigned long long)
__SIMULATOR_ACCESSIBLE(longlong2)
__SIMULATOR_ACCESSIBLE(ulonglong2)
__SIMULATOR_ACCESSIBLE_FAMILY(float, float)
__SIMULATOR_ACCESSIBLE(double)
__SIMULATOR_ACCESSIBLE(double2)

#undef __SIMULATOR_ACCESSIBLE_FAMILY

#define __SIMULATOR_LOAD(name)                                                             \
  template <typename __Type>                                                               \
  __device__ inline __Type name(const __Type* __pointer) {                                 \
    static_assert(__simulator::__is_accessible<__Type>, #name                              \
                  " takes CUDA's scalar types and their vectors of 2 or 4 elements up to " \
                  "16 bytes; load other types by *pointer");                               \
    return *__pointer;                                                                     \
  }

#define __SIMULATOR_STORE(name)                                                            \
  template <typename __Type>                                                               \
  __device__ inline void name(__Type* __pointer,                                           \
                              typename __simulator::__same<__Type>::__type __value) {      \
    static_assert(__simulator::__is_accessible<__Type>, #name                              \
                  " takes CUDA's scalar types and their vectors of 2 or 4 elements up to " \
                  "16 bytes; store other types by *pointer");                              \
    *__pointer = __value;                                                                  \
  }

__SIMULATOR_LOAD(__ldg)
__SIMULATOR_LOAD(__ldca)
__SIMULATOR_LOAD(__ldcg)
__SIMULATOR_LOAD(__ldcs)
__SIMULATOR_LOAD(__ldlu)
__SIMULATOR_LOAD(__ldcv)
__SIMULATOR_STORE(__stwb)
__SIMULATOR_STORE(__stcg)
__SIMULATOR_STORE(__stcs)
__SIMULATOR_STORE(__stwt)

#undef __SIMULATOR_LOAD
#undef __SIMULATOR_STORE

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_MEMORY_ACCESS_H_
