// The joint work of a warp on matrices; see simulator/groups/warp_matrix.h.

#include <simulator/float16_conversion.h>
#include <simulator/groups/warp_matrix.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "simulator/runtime/block.h"

namespace __simulator {
namespace {

constexpr unsigned kLanes = 32;

struct Operands {
  const __Product* product;
  const void* a;
  const void* b;
  const void* c;
  void* d;
};

template <typename T>
T element(const void* elements, unsigned i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(elements) + i * sizeof(T), sizeof(T));
  return value;
}

const Operands& operands(void* const* of_lanes, unsigned lane) {
  return *static_cast<const Operands*>(of_lanes[lane]);
}

// How a number lies in a fragment, and as what it is computed with.
struct Half {
  using Stored = std::uint16_t;
  using Value = float;
  static float value(std::uint16_t bits) {
    // Half's exponent is put in float's place and set right by a multiplication, which is exact and
    // takes subnormal numbers along.
    const float magnitude = std::bit_cast<float>((bits & 0x7fffu) << 13) * 0x1p112f;
    const std::uint32_t finite = std::bit_cast<std::uint32_t>(magnitude);
    const std::uint32_t infinite = magnitude >= 65536.0f ? 0x7f800000u : 0;
    return std::bit_cast<float>(finite | infinite | (bits & 0x8000u) << 16);
  }
  static std::uint16_t stored(float value) { return __encode_float<__half_format>(value); }
};
struct Bfloat16 {
  using Stored = std::uint16_t;
  using Value = float;
  static float value(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
};
struct Tf32 {
  using Stored = std::uint32_t;
  using Value = float;
  static float value(std::uint32_t bits) { return std::bit_cast<float>(bits & 0xffffe000u); }
};
struct Float {
  using Stored = float;
  using Value = float;
  static float value(float number) { return number; }
  static float stored(float number) { return number; }
};
template <typename T>
struct Integer {
  using Stored = T;
  using Value = std::int64_t;
  static std::int64_t value(T number) { return number; }
  static T stored(std::int64_t number) { return static_cast<T>(number); }
};

// Where in the matrix, by rows, the elements of lane 0 lie, then those of lane 1, and so on.
template <unsigned kRows, unsigned kColumns, bool kDown>
struct Layout {
  static constexpr unsigned kInLane = kRows * kColumns / kLanes;
  static constexpr std::array<std::uint16_t, kRows* kColumns> kAt = [] {
    std::array<std::uint16_t, kRows * kColumns> at{};
    for (unsigned i = 0; i < at.size(); ++i) {
      const __Place place = __place(i / kInLane, i % kInLane, kRows, kDown);
      at[i] = static_cast<std::uint16_t>(place.__row * kColumns + place.__column);
    }
    return at;
  }();
};

template <typename Format, typename Where>
void gather(void* const* of_lanes, const void* Operands::*operand, typename Format::Value* matrix) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const void* const elements = operands(of_lanes, lane).*operand;
    for (unsigned i = 0; i < Where::kInLane; ++i) {
      matrix[Where::kAt[lane * Where::kInLane + i]] =
          Format::value(element<typename Format::Stored>(elements, i));
    }
  }
}

template <typename Format, typename Where>
void scatter(void* const* of_lanes, const typename Format::Value* matrix) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    char* const elements = static_cast<char*>(operands(of_lanes, lane).d);
    for (unsigned i = 0; i < Where::kInLane; ++i) {
      const auto stored = Format::stored(matrix[Where::kAt[lane * Where::kInLane + i]]);
      std::memcpy(elements + i * sizeof stored, &stored, sizeof stored);
    }
  }
}

// The matrices of one shape.
template <unsigned kM, unsigned kN, unsigned kK, typename Value>
struct Matrices {
  using A = Layout<kM, kK, false>;
  using B = Layout<kK, kN, true>;
  using Sums = Layout<kM, kN, false>;

  Value a[kM * kK];
  Value b[kK * kN];
  Value sums[kM * kN];

  template <typename Format>
  void take_inputs(void* const* of_lanes) {
    gather<Format, A>(of_lanes, &Operands::a, a);
    gather<Format, B>(of_lanes, &Operands::b, b);
  }

  // Products of floats are exact: it is one whether they are rounded before the sum or not.
  void multiply() {
    for (unsigned row = 0; row < kM; ++row) {
      Value of_row[kN];
      std::copy_n(sums + row * kN, kN, of_row);
      for (unsigned k = 0; k < kK; ++k) {
        const Value factor = a[row * kK + k];
        for (unsigned column = 0; column < kN; ++column)
          of_row[column] += factor * b[k * kN + column];
      }
      std::copy_n(of_row, kN, sums + row * kN);
    }
  }
};

template <unsigned kM, unsigned kN, unsigned kK>
void multiply_floats(const __Product& product, void* const* of_lanes) {
  Matrices<kM, kN, kK, float> matrices;
  using Sums = typename decltype(matrices)::Sums;
  if (product.__inputs == __Number::__half) {
    matrices.template take_inputs<Half>(of_lanes);
  } else if (product.__inputs == __Number::__bfloat16) {
    matrices.template take_inputs<Bfloat16>(of_lanes);
  } else {
    matrices.template take_inputs<Tf32>(of_lanes);
  }
  if (product.__from == __Number::__half) {
    gather<Half, Sums>(of_lanes, &Operands::c, matrices.sums);
  } else {
    gather<Float, Sums>(of_lanes, &Operands::c, matrices.sums);
  }
  matrices.multiply();
  if (product.__to == __Number::__half) {
    scatter<Half, Sums>(of_lanes, matrices.sums);
  } else {
    scatter<Float, Sums>(of_lanes, matrices.sums);
  }
}

template <unsigned kM, unsigned kN, unsigned kK>
void multiply_integers(const __Product& product, void* const* of_lanes) {
  Matrices<kM, kN, kK, std::int64_t> matrices;
  using Sums = typename decltype(matrices)::Sums;
  if (product.__inputs == __Number::__signed_char) {
    matrices.template take_inputs<Integer<signed char>>(of_lanes);
  } else {
    matrices.template take_inputs<Integer<unsigned char>>(of_lanes);
  }
  gather<Integer<int>, Sums>(of_lanes, &Operands::c, matrices.sums);
  matrices.multiply();
  if (product.__saturate) {
    using Limits = std::numeric_limits<int>;
    for (std::int64_t& sum : matrices.sums) {
      sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
    }
  }
  scatter<Integer<int>, Sums>(of_lanes, matrices.sums);
}

template <unsigned kM, unsigned kN, unsigned kK>
void multiply_shape(const __Product& product, void* const* of_lanes) {
  if (product.__to == __Number::__int) {
    multiply_integers<kM, kN, kK>(product, of_lanes);
  } else {
    multiply_floats<kM, kN, kK>(product, of_lanes);
  }
}

void multiply(void* const* of_lanes, __Where where) {
  const __Product& product = *operands(of_lanes, 0).product;
  for (unsigned lane = 1; lane < kLanes; ++lane) {
    const __Product& other = *operands(of_lanes, lane).product;
    if (other.__m != product.__m || other.__n != product.__n ||
        other.__inputs != product.__inputs || other.__from != product.__from ||
        other.__to != product.__to) {
      __refuse("warp-divergence",
               "lanes of one warp multiply matrices of different shapes or types",
               "All 32 lanes must come to the same call.", where);
    }
  }
  if (product.__k == 8) return multiply_floats<16, 16, 8>(product, of_lanes);
  if (product.__m == 32) return multiply_shape<32, 8, 16>(product, of_lanes);
  if (product.__m == 8) return multiply_shape<8, 32, 16>(product, of_lanes);
  if (product.__n == 8) return multiply_floats<16, 8, 16>(product, of_lanes);
  multiply_shape<16, 16, 16>(product, of_lanes);
}

void compare(void* const* of_lanes, __Where where) {
  const auto& first = *static_cast<const __Matrix_in_memory*>(of_lanes[0]);
  for (unsigned lane = 1; lane < kLanes; ++lane) {
    const auto& other = *static_cast<const __Matrix_in_memory*>(of_lanes[lane]);
    if (other.__address == first.__address && other.__stride == first.__stride) continue;
    __refuse(
        "wmma-arguments", "lanes of one warp name different matrices in one load or store",
        "The pointer and the leading dimension belong to the whole matrix: do not add the lane to "
        "them.",
        where);
  }
  if (reinterpret_cast<std::uintptr_t>(first.__address) % 32 != 0) {
    __refuse(
        "wmma-arguments",
        "a matrix for the tensor cores begins at an address that is no multiple "
        "of 32 bytes",
        "Begin tiles at multiples of 16 elements of 16 bits (8 floats), and declare shared arrays "
        "with __align__(32).",
        where);
  }
  if (first.__stride % first.__stride_multiple != 0) {
    __refuse(
        "wmma-arguments",
        "the leading dimension of a matrix for the tensor cores is no multiple of "
        "16 bytes",
        "It counts elements from one row (or column) to the next: a multiple of 8 for half and "
        "bfloat16, of 4 for float and int, of 16 for char. Pad rows by as many.",
        where);
  }
}

void exchange(void* const* of_lanes, __Where where) {
  const auto rows = [&](unsigned lane) -> __Rows& { return *static_cast<__Rows*>(of_lanes[lane]); };
  const __Rows& first = rows(0);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    __Rows& mine = rows(lane);
    if (mine.__matrices != first.__matrices || mine.__transposed != first.__transposed) {
      __refuse("warp-divergence", "lanes of one warp call different forms of ldmatrix",
               "All 32 lanes must come to the same call.", where);
    }
    for (unsigned matrix = 0; matrix < mine.__matrices; ++matrix) {
      std::uint16_t pair[2];
      for (unsigned i = 0; i < 2; ++i) {
        const __Place place = __place(lane, i, 8, mine.__transposed);
        const __Rows& from = rows(matrix * 8 + place.__row);
        pair[i] = element<std::uint16_t>(from.__row, place.__column);
      }
      std::memcpy(&mine.__result[matrix], pair, sizeof pair);
    }
  }
}

}  // namespace

void __multiply_fragments(const __Product& product, const void* a, const void* b, const void* c,
                          void* d, __Where where) {
  Operands mine{&product, a, b, c, d};
  __do_jointly({product.__name, multiply}, &mine, where);
}

void __check_matrix(const __Matrix_in_memory& matrix, __Where where) {
  __Matrix_in_memory mine = matrix;
  __do_jointly({matrix.__name, compare}, &mine, where);
}

void __exchange_rows(__Rows& rows, __Where where) {
  __do_jointly({"ldmatrix", exchange}, &rows, where);
}

}  // namespace __simulator
