#include "tools/course/grader/likeness/likeness.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/course/grader/likeness/fingerprints.h"
#include "tools/course/grader/likeness/own_tokens.h"

namespace andrea::grader {
namespace {

constexpr const char* kStub = R"(
__global__ void sums_kernel(const float* x, float* sums, int columns) {
  const int thread = static_cast<int>(threadIdx.x);
  // TODO(00.4): the sum.
}
void sums(const float* x, float* out, int rows, int columns) {
  sums_kernel<<<rows, 128>>>(x, out, columns);
  CUDA_CHECK(cudaGetLastError());
}
)";

std::string with(const std::string& own) {
  std::string text = kStub;
  const std::size_t at = text.find("  // TODO");
  return text.substr(0, at) + own + text.substr(text.find('\n', at) + 1);
}

const std::string kOriginal = with(R"(  float partial = 0;
  for (int c = thread; c < columns; c += 128) {
    if (x[c] > 0) partial += x[c] * 2; else partial -= x[c];
  }
  while (partial > 1000) { partial /= 10; ++counter[thread]; }
  out[thread] = partial;
)");

// The same in other clothes: names, numbers, layout, comments.
const std::string kDisguised = with(R"(  // I wrote this myself.
  float total = 0.0f;
  for (int k = thread; k < columns; k += 256)
  {
    if (x[k] > 1)
      total += x[k] * 3;
    else
      total -= x[k];
  }
  while (total > 77) { total /= 11; ++number[thread]; }
  result[thread] = total;
)");

const std::string kDifferent = with(R"(  const int step = blockDim.x;
  double all[4] = {};
  int which = 0;
  do {
    all[which & 3] += fabs(x[thread + which * step]);
    which = which + 1;
  } while (thread + which * step < columns);
  atomicAdd(&sums[blockIdx.x], all[0] + all[1] + all[2] + all[3]);
)");

TEST(OwnTokens, WithoutTheStub) {
  EXPECT_TRUE(own_tokens(kStub, kStub).empty() || own_tokens(kStub, kStub).front().kind == kGap);
  std::string kinds;
  for (const OwnToken& token : own_tokens(with("  float s = 2 * x;  // two\n"), kStub)) {
    kinds += token.kind + " ";
  }
  EXPECT_EQ(kinds, "float n = 0 * n ; gap ");
}

TEST(Fingerprints, ALongEnoughCommonPieceIsFound) {
  std::string common, before, after;
  // A piece of kRun + kWindow - 1 tokens that differ from each other.
  const char* const signs[] = {"+", "-", "*", "/", "%", "^", "&", "|", "<", ">", "=", "!"};
  for (int i = 0; i < kRun + kWindow - 1; ++i) common += std::string(signs[(i * 5) % 12]) + " ";
  for (int i = 0; i < 40; ++i) before += std::string(signs[(i * i) % 12]) + " ";
  for (int i = 0; i < 40; ++i) after += std::string(signs[(i * i + 3 * i) % 12]) + " ";
  const auto hashes = [](const std::string& text) {
    std::set<std::uint64_t> all;
    for (const Fingerprint& one : fingerprints(own_tokens(text, ""), {}, Compared::form))
      all.insert(one.hash);
    return all;
  };
  int shared = 0;
  for (const std::uint64_t hash : hashes(before + common))
    shared += hashes(common + after).count(hash);
  EXPECT_GE(shared, 1);
  EXPECT_TRUE(hashes("+ - * /").empty());
}

TEST(Likeness, ADisguisedCopyIsFound) {
  const std::vector<Likeness> found =
      likenesses({{"ada", kOriginal}, {"bob", kDifferent}, {"eve", kDisguised}}, kStub);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first, 0u);
  EXPECT_EQ(found[0].second, 2u);
  EXPECT_GT(found[0].share, 0.7);
  EXPECT_LT(found[0].same_names, 0.95);
  ASSERT_FALSE(found[0].fragments.empty());
  EXPECT_EQ(found[0].fragments[0].first_line, 4);
}

TEST(Likeness, ACopyToTheLetter) {
  const std::vector<Likeness> found = likenesses({{"ada", kOriginal}, {"eve", kOriginal}}, kStub);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].same_names, 1);
}

TEST(Likeness, TheStubAloneIsNotAlike) {
  EXPECT_TRUE(likenesses({{"ada", kStub}, {"eve", kStub}}, kStub).empty());
}

TEST(Likeness, WhatTheClassHasInCommonDoesNotCount) {
  std::vector<Work> works;
  for (int i = 0; i < 20; ++i) works.push_back({"student " + std::to_string(i), kOriginal});
  EXPECT_TRUE(likenesses(works, kStub).empty());
}

// All write it alike, each with names of their own; but two of them have the same.
TEST(Likeness, TheSameNamesAreSeenWhereTheFormIsEverybodys) {
  std::vector<Work> works;
  for (int i = 0; i < 20; ++i) {
    std::string own = kOriginal;
    const std::string name = "sum" + std::to_string(i == 7 ? 3 : i);
    for (std::size_t at = 0; (at = own.find("partial", at)) != std::string::npos;) {
      own.replace(at, 7, name);
    }
    works.push_back({"student " + std::to_string(i), own});
  }
  const std::vector<Likeness> found = likenesses(works, kStub);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first, 3u);
  EXPECT_EQ(found[0].second, 7u);
  EXPECT_EQ(found[0].same_names, 1);
}

TEST(Likeness, EarlierYearsAreComparedWithTheClassOnly) {
  const std::vector<Likeness> found = likenesses({{"ada", kOriginal, true},
                                                  {"eve (past)", kDisguised, false},
                                                  {"bob (past)", kDisguised, false}},
                                                 kStub);
  ASSERT_EQ(found.size(), 2u);
  for (const Likeness& pair : found) EXPECT_EQ(pair.first, 0u);
}

TEST(Likeness, HugeAndOddTextsAreNoTrouble) {
  using std::string_literals::operator""s;
  const std::string odd = "int \xff\xfe \0 x; \"unterminated"s;
  std::string huge;
  for (int i = 0; i < 20000; ++i) huge += "x = y;\n";
  EXPECT_NO_THROW(likenesses({{"ada", odd}, {"eve", huge}, {"bob", ""}}, kStub));
}

TEST(Likeness, ShortExercisesAreNamed) {
  const std::string solution =
      "// SOLUTION(00.1): one.\n x = y;\n// END(00.1)\n// SOLUTION(00.2): two.\n" +
      std::string(kOriginal) + kOriginal + "// END(00.2)\n";
  EXPECT_EQ(too_short_to_tell(solution, "kernel.cu"), std::vector<std::string>{"00.1"});
}

}  // namespace
}  // namespace andrea::grader
