#include "trainer/stories/ambiguity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "trainer/base/random.h"
#include "trainer/stories/grammar.h"

namespace andrea {
namespace {

std::string ambiguity_of(const std::vector<Rule>& rules,
                         const std::vector<WordList>& words = {{{"pet"}, {{"cat"}, {"dog"}}}}) {
  return find_ambiguity(Grammar(rules, words)).value_or("none");
}

TEST(Ambiguity, NamesTheAlternativesAndATextCommonToBoth) {
  EXPECT_EQ(ambiguity_of({{"story", {"[pet] ran", "[pet] ran away"}}}),
            "In the rule \"story\" both \"[pet] ran\" and \"[pet] ran away\" can begin with all of "
            "\"cat ran\".");
}

TEST(Ambiguity, NothingWhereTheAlternativesPart) {
  EXPECT_EQ(ambiguity_of({{"story", {"[pet] ran.", "[pet] ran away.", "[pet]s [end]"}},
                          {"end", {"sang.", "slept."}}}),
            "none");
}

TEST(Ambiguity, EqualTextsAreFoundHoweverTheyAreSpelled) {
  EXPECT_NE(ambiguity_of({{"story", {"[pet] sat", "[animal] sat"}},
                          {"animal", {"d[og]", "pig"}},
                          {"og", {"og", "uck"}}}),
            "none");
}

TEST(Ambiguity, AnEmptyAlternativeIsTheBeginningOfEveryOther) {
  EXPECT_NE(ambiguity_of({{"story", {"A [pet][tail]"}}, {"tail", {"", " sat"}}}), "none");
}

TEST(Ambiguity, ARecallMayBeAnyWordOfItsList) {
  EXPECT_NE(ambiguity_of({{"story", {"[pet][end]"}}, {"end", {" {pet} sat", " cat sat"}}}), "none");
}

TEST(Ambiguity, NoWordMayBeginAnother) {
  EXPECT_EQ(ambiguity_of({{"story", {"[hat]"}}}, {{{"hat"}, {{"cap"}, {"cape"}}}}),
            "Of the words chosen by [hat] \"cape\" begins with \"cap\".");
  // Only in the form in which they are chosen: {his} recalls, it does not tell words apart.
  EXPECT_EQ(ambiguity_of({{"story", {"[name] and {his} hat"}}},
                         {{{"name", "his"}, {{"Tom", "his"}, {"Max", "his"}}}}),
            "none");
}

// A random template out of few letters, so that many grammars are ambiguous and many are not.
std::string random_template(Random* random, bool calls) {
  std::string result;
  const std::uint64_t pieces = 1 + random->below(3);
  for (std::uint64_t i = 0; i < pieces; ++i) {
    const std::vector<std::string> choices = {"a", "b", "ab", "[word]", "[word]{word}", "[rest]"};
    result += choices[random->below(calls ? 6 : 5)];
  }
  return result;
}

TEST(Ambiguity, AGrammarThatPassesDerivesEachTextOnce) {
  int passed = 0;
  int ambiguous = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const Grammar grammar(
        {{"story", {random_template(&random, true), random_template(&random, true)}},
         {"rest", {random_template(&random, false), random_template(&random, false)}}},
        {{{"word"}, {{"a"}, {"ba"}, {"bb"}}}});
    std::int64_t most_derivations = 0;
    for (std::uint64_t i = 0; i < 100; ++i) {
      const GeneratedText text = grammar.generate(Random(seed, i));
      most_derivations = std::max(most_derivations, grammar.parse(text.text).count);
    }
    if (most_derivations > 1) ++ambiguous;
    if (find_ambiguity(grammar)) continue;
    ++passed;
    EXPECT_EQ(most_derivations, 1) << "seed " << seed;
  }
  EXPECT_GT(passed, 100);
  EXPECT_GT(ambiguous, 100);
}

}  // namespace
}  // namespace andrea
