#include WORKSHEET

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/harness/exercise/question.h"

namespace andrea {
namespace {

using worksheet01::Shape;

std::string given(std::int64_t V, std::int64_t C) {
  return "V=" + std::to_string(V) + ", C=" + std::to_string(C);
}

TEST(Lesson01, Question1) {
  EXPECT_TRUE(question("01.w1", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const std::int64_t V = it.random(300, 60000), C = it.random(3, 4096);
      it.number(given(V, C), worksheet01::table_numbers(V, C), V * C,
                {{"no_width", V}, {"one_token", C}, {"sum", V + C}});
    }
  }));
}

TEST(Lesson01, Question2) {
  EXPECT_TRUE(question("01.w2", [](Question& it) {
    const auto table = [&](std::int64_t answer, std::int64_t V, std::int64_t C) {
      it.number(given(V, C), answer, V * C,
                {{"rows", V}, {"bytes", 4 * V * C}, {"of_120m", 8449 * 768}});
    };
    it.of("kTable12M");
    table(worksheet01::kTable12M, 4353, 384);
    it.of("kTable480M");
    table(worksheet01::kTable480M, 16641, 1536);
    // Without a name there is no table of one's own.
    const bool is_named = worksheet01::kName[0] != '\0';
    it.of(is_named ? "kMyTable" : "kName");
    table(is_named ? worksheet01::kMyTable : worksheet::kUnanswered, worksheet01::kMyRows,
          worksheet01::kMyWidth);
  }));
}

TEST(Lesson01, Question3) {
  EXPECT_TRUE(question("01.w3", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const std::int64_t V = it.random(300, 60000), C = it.random(3, 4096);
      // Half of the batches have more tokens than there are ids.
      const std::int64_t B = it.random(2, 16), T = i % 2 == 0 ? it.random(2, 100) : V;
      const std::string batch =
          given(V, C) + ", B=" + std::to_string(B) + ", T=" + std::to_string(T);
      it.number(given(V, C), worksheet01::table_bytes(V, C), 4 * V * C, {{"numbers", V * C}});
      const std::int64_t rows = std::min(V, B * T);
      it.number(batch, worksheet01::touched_bytes(V, C, B, T), 4 * C * rows,
                {{"numbers", C * rows},
                 {"more_than_all", 4 * C * B * T},
                 {"whole_table", 4 * V * C},
                 {"one_sequence", 4 * C * std::min(V, T)}});
    }
  }));
}

TEST(Lesson01, Question4) {
  EXPECT_TRUE(question("01.w4", [](Question& it) {
    const auto model = [&](std::int64_t V, std::int64_t T, std::int64_t C) {
      for (const bool tied : {true, false}) {
        const std::int64_t table = V * C, tables = tied ? table : 2 * table;
        it.number(given(V, C) + ", T=" + std::to_string(T) + (tied ? ", tied" : ", untied"),
                  worksheet01::embedding_parameters(V, T, C, tied), tables + T * C,
                  {{"tied_twice", tied ? 2 * table + T * C : -1},
                   {"tied_twice", tied ? 2 * table : -1},
                   {"once", tied ? -1 : table + T * C},
                   {"no_positions", tables},
                   {"positions_by_vocabulary", tables + table}});
      }
    };
    model(8449, 1024, 768);
    for (int i = 0; i < 10; ++i) {
      model(it.random(300, 60000), it.random(8, 299), it.random(3, 4096));
    }
  }));
}

TEST(Lesson01, Question5) {
  EXPECT_TRUE(
      question("01.w5", [](Question& it) { it.choice(worksheet01::kPositions, 'b', "acd"); }));
}

TEST(Lesson01, Question6) {
  EXPECT_TRUE(
      question("01.w6", [](Question& it) { it.choice(worksheet01::kWrongStep, 'c', "abd"); }));
}

TEST(Lesson01, Question7) {
  EXPECT_TRUE(question("01.w7", [](Question& it) {
    for (int i = 0; i < 10; ++i) {
      const std::int64_t B = it.random(2, 9), T = it.random(10, 99), C = it.random(100, 999),
                         V = it.random(1000, 9999);
      const std::string sizes =
          given(V, C) + ", B=" + std::to_string(B) + ", T=" + std::to_string(T);
      it.shape("out, " + sizes, worksheet01::shape_of_out(B, T, C, V), Shape{B, T, C},
               {{"no_batch", {T, C}}, {"ids_only", {B, T}}});
      it.shape("dtoken_table, " + sizes, worksheet01::shape_of_dtoken_table(B, T, C, V),
               Shape{V, C}, {{"of_batch", {B, T, C}}, {"of_batch", {B * T, C}}});
      it.shape("one_hot, N=" + std::to_string(B * T) + ", V=" + std::to_string(V),
               worksheet01::shape_of_one_hot(B * T, V), Shape{B * T, V},
               {{"transposed", {V, B * T}}});
    }
  }));
}

}  // namespace
}  // namespace andrea
