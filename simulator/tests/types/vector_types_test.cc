// Sizes, alignments and members of CUDA's vector types, which kernels rely on when they cast
// pointers.

#include "vector_types.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "vector_functions.h"

namespace {

template <typename Vector>
constexpr bool plain = std::is_trivially_default_constructible_v<Vector>&&
    std::is_trivially_copyable_v<Vector>&& std::is_aggregate_v<Vector>;

#define EXPECT_LAYOUT(name, type, alignment2, alignment4)                                  \
  static_assert(sizeof(name##1) == sizeof(type) && alignof(name##1) == alignof(type));     \
  static_assert(sizeof(name##2) == 2 * sizeof(type) && alignof(name##2) == (alignment2));  \
  static_assert(sizeof(name##3) == 3 * sizeof(type) && alignof(name##3) == alignof(type)); \
  static_assert(sizeof(name##4) == 4 * sizeof(type) && alignof(name##4) == (alignment4));  \
  static_assert(std::is_same_v<decltype(name##4 ::w), type>);                              \
  static_assert(plain<name##1> && plain<name##2> && plain<name##3> && plain<name##4>)

EXPECT_LAYOUT(char, signed char, 2, 4);
EXPECT_LAYOUT(uchar, unsigned char, 2, 4);
EXPECT_LAYOUT(short, short, 4, 8);
EXPECT_LAYOUT(ushort, unsigned short, 4, 8);
EXPECT_LAYOUT(int, int, 8, 16);
EXPECT_LAYOUT(uint, unsigned, 8, 16);
EXPECT_LAYOUT(long, long, 16, 16);
EXPECT_LAYOUT(ulong, unsigned long, 16, 16);
EXPECT_LAYOUT(longlong, long long, 16, 16);
EXPECT_LAYOUT(ulonglong, unsigned long long, 16, 16);
EXPECT_LAYOUT(float, float, 8, 16);
EXPECT_LAYOUT(double, double, 16, 16);
static_assert(alignof(double4_16a) == 16 && sizeof(double4_16a) == 32);
static_assert(alignof(double4_32a) == 32 && sizeof(double4_32a) == 32);
static_assert(alignof(longlong4_16a) == 16 && alignof(ulong4_32a) == 32);

TEST(VectorTypes, MakeAndAggregate) {
  const float4 f = make_float4(1, 2, 3, 4);
  EXPECT_EQ(f.x, 1.0f);
  EXPECT_EQ(f.w, 4.0f);
  const uchar3 c = make_uchar3(1, 2, 255);
  EXPECT_EQ(c.z, 255);
  const int2 i = {3, 4};
  EXPECT_EQ(i.y, 4);
  EXPECT_EQ(make_double4_32a(1, 2, 3, 4).z, 3.0);
  EXPECT_EQ(make_char1(-1).x, -1);
}

TEST(VectorTypes, AVectorOverAnArray) {
  alignas(16) float numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  float4* vectors = reinterpret_cast<float4*>(numbers);
  EXPECT_EQ(&vectors[1].x, &numbers[4]);
  EXPECT_EQ(&vectors[1].w, &numbers[7]);
}

int volume(dim3 d) { return static_cast<int>(d.x * d.y * d.z); }

TEST(VectorTypes, Dim3) {
  static_assert(dim3().x == 1 && dim3().y == 1 && dim3().z == 1);
  constexpr dim3 row(5);
  static_assert(row.x == 5 && row.y == 1 && row.z == 1);
  constexpr dim3 box(2, 3, 4);
  constexpr uint3 plain_box = box;
  static_assert(plain_box.z == 4);
  static_assert(dim3(uint3{7, 8, 9}).y == 8);
  EXPECT_EQ(volume(6), 6);
  EXPECT_EQ(volume({2, 3}), 6);
  EXPECT_EQ(volume(box), 24);
  dim3 assigned;
  assigned = make_uint3(1, 2, 3);
  EXPECT_EQ(assigned.z, 3u);
}

}  // namespace
