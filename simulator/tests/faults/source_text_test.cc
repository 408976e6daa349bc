#include "simulator/check/source_text.h"

#include <gtest/gtest.h>

namespace simulator {
namespace {

// The name of what the last bracket of the text indexes.
std::string last_indexed(const std::string& text) {
  return indexed_name(text, static_cast<unsigned>(text.rfind(']') + 1));
}

TEST(IndexedName, IsTheExpressionBeforeTheBracket) {
  EXPECT_EQ(last_indexed("  tile[y][x + 1] = 0;"), "tile[y]");
  EXPECT_EQ(last_indexed("sum += counts[digits[i]];"), "counts");
  EXPECT_EQ(last_indexed("p[threadIdx.x].position[axis] = 0.0f;"), "p[threadIdx.x].position");
  EXPECT_EQ(last_indexed("x = node->next->value[(i + 1) % 4];"), "node->next->value");
  EXPECT_EQ(last_indexed("x = (*node).value[i];"), "(*node).value");
  EXPECT_EQ(last_indexed("y = a + table::of[f(i)] + 1;"), "table::of");
  EXPECT_EQ(last_indexed("y = row(i)[ j ];"), "row(i)");
  EXPECT_EQ(last_indexed("y = -row [ j ];"), "row");
}

TEST(IndexedName, IsTheInnerOneAtItsOwnBracket) {
  const std::string text = "counts[digits[i]]";
  EXPECT_EQ(indexed_name(text, static_cast<unsigned>(text.find(']') + 1)), "digits");
}

TEST(IndexedName, IsEmptyWhereNoBracketStands) {
  EXPECT_EQ(indexed_name("tile[i]", 3), "");
  EXPECT_EQ(indexed_name("tile[i]", 0), "");
  EXPECT_EQ(indexed_name("tile[i]", 100), "");
  EXPECT_EQ(indexed_name("i]", 2), "");
  EXPECT_EQ(indexed_name("[i]", 3), "");
  EXPECT_EQ(indexed_name("", 1), "");
  EXPECT_EQ(indexed_name(")[i]", 4), "");
}

TEST(AllocatedName, IsWhatTheCallIsGiven) {
  EXPECT_EQ(allocated_name("  cudaMalloc(&d_a, bytes);"), "d_a");
  EXPECT_EQ(allocated_name("CHECK(cudaMalloc((void**)&model.layers[2], n));"), "model.layers[2]");
  EXPECT_EQ(allocated_name("cudaMallocManaged(reinterpret_cast<void**>(&x), n);"), "x");
  EXPECT_EQ(allocated_name("cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);"), "flag");
  EXPECT_EQ(allocated_name("float* p = allocate(n);"), "");
  EXPECT_EQ(allocated_name("cudaMalloc(pointer, n);"), "");
}

}  // namespace
}  // namespace simulator
