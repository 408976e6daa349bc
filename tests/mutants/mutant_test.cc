#include "tests/mutants/mutant.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/mutants/equivalents.h"

namespace andrea::mutants {
namespace {

constexpr char kSolution[] =
    "void f() {\n"
    "  if (a)\n"
    "    b();\n"
    "  c();  c();\n"
    "  // STUB\n"
    "  // b();\n"
    "  // END(01.2)\n"
    "}\n";

std::string fault(const std::string& text) {
  try {
    read_mutants(text, "m");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

TEST(Mutant, HeadsAndEdits) {
  const auto mutants = read_mutants(
      "# A comment.\n"
      "== 01.2 no_b\n"
      "- if (a)\n"
      "-     b();\n"
      "+ d();\n"
      "- void\n"
      "+ int\n"
      "\n"
      "== 01.2 no_guard report\n"
      "- if (a)\n"
      "== 01.3 other any\n"
      "- b();\n"
      "+\n"
      "+ d();\n",
      "m");
  ASSERT_EQ(mutants.size(), 3u);
  EXPECT_EQ(mutants[0].exercise, "01.2");
  EXPECT_EQ(mutants[0].name, "no_b");
  EXPECT_EQ(mutants[0].line, 2);
  EXPECT_EQ(mutants[0].expected, Expected::sentence);
  ASSERT_EQ(mutants[0].edits.size(), 2u);
  EXPECT_EQ(mutants[0].edits[0].from, "if (a)\nb();");
  EXPECT_EQ(mutants[1].expected, Expected::report);
  EXPECT_EQ(mutants[1].edits[0].to, "");
  EXPECT_EQ(mutants[2].expected, Expected::any);
  EXPECT_EQ(mutants[2].edits[0].to, "\nd();");

  EXPECT_EQ(applied(mutants[0], kSolution), "int f() {\nd();\nc();  c();\n\n\n// END(01.2)\n}\n");
  EXPECT_EQ(applied(mutants[1], kSolution),
            "void f() {\n\nb();\nc();  c();\n\n\n// END(01.2)\n}\n");
}

TEST(Mutant, WhatIsReplacedOccursOnce) {
  const auto twice = read_mutants("== 01.1 x\n- c();\n", "m");
  const auto nowhere = read_mutants("== 01.1 x\n- if (b)\n", "m");
  EXPECT_THROW(applied(twice[0], kSolution), std::runtime_error);
  EXPECT_THROW(applied(nowhere[0], kSolution), std::runtime_error);
}

TEST(Mutant, FaultsAreNamed) {
  EXPECT_EQ(fault("- a\n"), "m:1: an edit before the first '== exercise name'.");
  EXPECT_EQ(fault("== 01.1\n"), "m:1: a head is '== exercise name [report or any]'.");
  EXPECT_EQ(fault("== 01.1 x y\n"), "m:1: 'y' is neither 'report' nor 'any'.");
  EXPECT_EQ(fault("== 01.1 x\nx\n"), "m:2: a line begins with '==', '-', '+' or '#'.");
  EXPECT_EQ(fault("== 01.1 x\n+ a\n"), "m:2: '+' before the first '-'.");
  EXPECT_EQ(fault("== 01.1 x\n"), "m:1: 01.1 x has no edit.");
  EXPECT_EQ(fault("== 01.1 x\n- a\n+ a\n"), "m:3: 01.1 x has an edit that changes nothing.");
  EXPECT_EQ(fault("== 01.1 x\n- a\n== 01.1 y\n- a\n"), "m:4: 01.1 y is x once more.");
}

TEST(Equivalents, LinesWithAReason) {
  const auto all = read_equivalents("# all\n\n00.3 line 4: 0 to 1  # it ends alike\n", "e");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].exercise, "00.3");
  EXPECT_EQ(all[0].name, "line 4: 0 to 1");
  EXPECT_EQ(all[0].reason, "it ends alike");
  EXPECT_THROW(read_equivalents("00.3 line 4: 0 to 1\n", "e"), std::runtime_error);
}

}  // namespace
}  // namespace andrea::mutants
