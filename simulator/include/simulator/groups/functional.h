// File: simulator/groups/functional.h
//
// The operations of reduce and the scans: plus, less (the smaller), greater (the larger), bit_and,
// bit_or, bit_xor.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_FUNCTIONAL_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_FUNCTIONAL_H_

namespace cooperative_groups {

template <typename __T>
struct plus {
  __T operator()(__T __a, __T __b) const { return __a + __b; }
};
template <typename __T>
struct less {
  __T operator()(__T __a, __T __b) const { return __b < __a ? __b : __a; }
};
template <typename __T>
struct greater {
  __T operator()(__T __a, __T __b) const { return __a < __b ? __b : __a; }
};
template <typename __T>
struct bit_and {
  __T operator()(__T __a, __T __b) const { return __a & __b; }
};
template <typename __T>
struct bit_or {
  __T operator()(__T __a, __T __b) const { return __a | __b; }
};
template <typename __T>
struct bit_xor {
  __T operator()(__T __a, __T __b) const { return __a ^ __b; }
};

}  // namespace cooperative_groups

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_FUNCTIONAL_H_
