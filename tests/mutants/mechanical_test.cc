#include "tests/mutants/mechanical.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace andrea::mutants {
namespace {

using Names = std::vector<std::string>;

std::string region(const std::string& code) {
  return "// SOLUTION(01.1): do it.\n" + code +
         "\n// STUB\n// x < y;\n// END(01.1)\nint a = b + 1;\n";
}

std::vector<MechanicalMutant> mutants_of(const std::string& code) {
  return mechanical_mutants(region(code), "f");
}

Names names_of(const std::string& code) {
  Names names;
  for (const MechanicalMutant& mutant : mutants_of(code)) names.push_back(mutant.name);
  return names;
}

// The code of the only mutant.
std::string only(const std::string& code) {
  const auto mutants = mutants_of(code);
  if (mutants.size() != 1) return std::to_string(mutants.size()) + " mutants";
  const std::string start = "// SOLUTION(01.1): do it.\n", end = "\n// STUB";
  const std::string& text = mutants[0].text;
  return text.substr(start.size(), text.find(end) - start.size());
}

TEST(Mechanical, Operators) {
  EXPECT_EQ(only("a < b;"), "a <= b;");
  EXPECT_EQ(only("a <= b;"), "a < b;");
  EXPECT_EQ(only("a > b;"), "a >= b;");
  EXPECT_EQ(only("a >= b;"), "a > b;");
  EXPECT_EQ(only("a == b;"), "a != b;");
  EXPECT_EQ(only("a != b;"), "a == b;");
  EXPECT_EQ(only("a - b;"), "a + b;");
  EXPECT_EQ(only("a\n    + b;"), "a\n    - b;");
  EXPECT_EQ(only("a && b;"), "a || b;");
  EXPECT_EQ(only("a += b;"), "a = b;");
}

TEST(Mechanical, EachPlaceIsNamed) {
  EXPECT_EQ(names_of("x = a + b;\ny = a + b + c;"),
            (Names{"line 2: + to -", "line 3: + to -", "line 3: + to - (2)"}));
  EXPECT_EQ(mutants_of("a + b")[0].exercise, "01.1");
}

TEST(Mechanical, WhatStays) {
  EXPECT_EQ(names_of("x = -a;\nfloat* p = &a;"), Names{});
  EXPECT_EQ(names_of("static_cast<int>(a);\nf<32>(a);\ntemplate <int N> x;"), Names{});
  EXPECT_EQ(names_of("kernel<<<a + 1, b>>>(c);"), Names{});
  EXPECT_EQ(names_of("// a < b\n/* a + b */\nf(\"a + b\");\n#pragma unroll 4"), Names{});
  EXPECT_EQ(names_of("x = 1.5f; y = 1e3f; z = 'a';"), Names{});
}

TEST(Mechanical, Guards) {
  EXPECT_EQ(only("if (a) return;"), ";");
  EXPECT_EQ(only("if (a)\n  return f(a);\nb();"), ";\n\nb();");
  EXPECT_EQ(only("if (a) b[c] = d;"), " b[c] = d;");
  EXPECT_EQ(only("if (a) {\n  b();\n}"), " {\n  b();\n}");
  EXPECT_EQ(names_of("if (a) b(); else c();"), Names{});
  EXPECT_EQ(names_of("if (f(a)) return;"), Names{"line 2: if (f(a)) return; removed"});
}

TEST(Mechanical, IndicesAndSizes) {
  EXPECT_EQ(only("i = threadIdx.x;"), "i = threadIdx.y;");
  EXPECT_EQ(only("i = blockDim.y;"), "i = blockDim.x;");
  EXPECT_EQ(mutants_of("out[i * n + j]")[0].text.find("out[j * n + i]"), 26u);
  EXPECT_EQ(only("a = tile[x][y];"), "a = tile[y][x];");
  EXPECT_EQ(only("__shared__ float tile[x][y];"), "0 mutants");
  EXPECT_EQ(names_of("row * columns; f(rows)"),
            (Names{"line 2: columns to rows", "line 2: rows to columns"}));
  EXPECT_EQ(names_of("(b * T) * C;"), (Names{"line 2: T to C", "line 2: C to T"}));
  EXPECT_EQ(names_of("b * T;"), Names{});
}

TEST(Mechanical, Integers) {
  EXPECT_EQ(only("f(7);"), "f(8);");
  EXPECT_EQ(only("f(7u);"), "f(8u);");
  EXPECT_EQ(only("f(0xffu);"), "f(254u);");
}

TEST(Mechanical, BarriersAndAtomics) {
  EXPECT_EQ(only("__syncthreads();"), ";");
  EXPECT_EQ(only("__syncwarp(mask);"), ";");
  EXPECT_EQ(only("tile.sync();"), ";");
  EXPECT_EQ(only("atomicAdd(&a[f(i, j)], b);"), "*(&a[f(i, j)]) += b;");
}

TEST(Mechanical, LinesKeepTheirNumbers) {
  const std::string code = "if (a &&\n    b) {\n  c();\n}";
  const std::string source = region(code);
  for (const MechanicalMutant& mutant : mutants_of(code)) {
    EXPECT_EQ(std::count(mutant.text.begin(), mutant.text.end(), '\n'),
              std::count(source.begin(), source.end(), '\n'))
        << mutant.name;
  }
}

}  // namespace
}  // namespace andrea::mutants
