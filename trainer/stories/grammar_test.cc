#include "trainer/stories/grammar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/random.h"

namespace andrea {
namespace {

const std::vector<WordList> kWords = {{{"pet", "a pet"}, {{"cat", "a cat"}, {"owl", "an owl"}}},
                                      {{"name", "he"}, {{"Tom", "he"}, {"Lucy", "she"}}}};

Grammar pets() {
  return Grammar(
      {{"story", {"[a pet] named [name] came in. {He} was [mood].", "[name] has [pet]s."}},
       {"mood", {"happy", "as proud as [a pet]"}}},
      kWords);
}

// Every text of pets(), with its probability.
std::vector<std::pair<std::string, double>> all_pet_texts() {
  std::vector<std::pair<std::string, double>> texts;
  for (const char* pet : {"a cat", "an owl"}) {
    for (const auto& [name, he] : {std::pair("Tom", "He"), std::pair("Lucy", "She")}) {
      const std::string start = std::string(pet) + " named " + name + " came in. " + he + " was ";
      texts.emplace_back(start + "happy.", 1.0 / 16);
      texts.emplace_back(start + "as proud as a cat.", 1.0 / 32);
      texts.emplace_back(start + "as proud as an owl.", 1.0 / 32);
    }
  }
  for (const char* text : {"Tom has cats.", "Tom has owls.", "Lucy has cats.", "Lucy has owls."}) {
    texts.emplace_back(text, 1.0 / 8);
  }
  return texts;
}

void expect_error(const std::vector<Rule>& rules, const std::vector<WordList>& words,
                  const std::string& expected) {
  try {
    Grammar grammar(rules, words);
    ADD_FAILURE() << "no error; expected: " << expected;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
  }
}

TEST(Grammar, WritesTextsAndTellsTheirProbability) {
  const Grammar grammar = pets();
  const GeneratedText one = grammar.generate(Random(7));
  EXPECT_EQ(grammar.generate(Random(7)).text, one.text);
  const Derivations derivations = grammar.parse(one.text);
  EXPECT_EQ(derivations.count, 1);
  EXPECT_EQ(derivations.log2_probability, one.log2_probability);
}

TEST(Grammar, ProbabilitiesOfAllTextsSumToOne) {
  const Grammar grammar = pets();
  double sum = 0.0;
  for (const auto& [text, probability] : all_pet_texts()) {
    const Derivations derivations = grammar.parse(text);
    EXPECT_EQ(derivations.count, 1) << text;
    EXPECT_DOUBLE_EQ(std::exp2(derivations.log2_probability), probability) << text;
    sum += std::exp2(derivations.log2_probability);
  }
  EXPECT_DOUBLE_EQ(sum, 1.0);
}

TEST(Grammar, EntropyAndLengthAreThoseOfTheWholeLanguage) {
  double bits = 0.0;
  double bytes = 0.0;
  for (const auto& [text, probability] : all_pet_texts()) {
    bits -= probability * std::log2(probability);
    bytes += probability * static_cast<double>(text.size());
  }
  EXPECT_DOUBLE_EQ(pets().entropy_bits(), bits);
  EXPECT_DOUBLE_EQ(pets().mean_bytes(), bytes);
}

TEST(Grammar, GeneratesEachTextAsOftenAsItsProbabilitySays) {
  const Grammar grammar = pets();
  constexpr int kTexts = 20000;
  std::vector<std::string> generated;
  for (int i = 0; i < kTexts; ++i) generated.push_back(grammar.generate(Random(1, i)).text);
  for (const auto& [text, probability] : all_pet_texts()) {
    const double expected = kTexts * probability;
    const double deviation = std::sqrt(expected * (1.0 - probability));
    EXPECT_NEAR(static_cast<double>(std::count(generated.begin(), generated.end(), text)), expected,
                5.0 * deviation)
        << text;
  }
}

TEST(Grammar, TextsOutsideTheLanguageHaveNoDerivation) {
  const Grammar grammar = pets();
  for (const char* text : {"", "Tom", "Tom has cats", "Tom has cats.\n", "Tom has dogs.",
                           "a cat named Lucy came in. He was happy."}) {
    const Derivations derivations = grammar.parse(text);
    EXPECT_EQ(derivations.count, 0) << text;
    EXPECT_EQ(derivations.log2_probability, -std::numeric_limits<double>::infinity()) << text;
  }
}

TEST(Grammar, ARecallMeansTheWordChosenLast) {
  const Grammar grammar({{"story", {"[pet], [pet], {pet}"}}}, kWords);
  EXPECT_EQ(grammar.parse("cat, owl, owl").count, 1);
  EXPECT_EQ(grammar.parse("cat, owl, cat").count, 0);
}

// The first alternative chooses an owl and fails at "x"; the second must still recall the cat.
TEST(Grammar, AFailedAlternativeLeavesNoChoiceBehind) {
  const Grammar grammar({{"story", {"[pet] [rest]"}}, {"rest", {"my [pet] x", "my {pet} y"}}},
                        kWords);
  EXPECT_EQ(grammar.parse("cat my cat y").count, 1);
  EXPECT_EQ(grammar.parse("cat my owl y").count, 0);
}

TEST(Grammar, CountsAllDerivationsOfAnAmbiguousText) {
  const Grammar grammar({{"story", {"[pet]", "cat", "nobody"}}}, kWords);
  const Derivations derivations = grammar.parse("cat");
  EXPECT_EQ(derivations.count, 2);
  EXPECT_DOUBLE_EQ(std::exp2(derivations.log2_probability), 1.0 / 6 + 1.0 / 3);
}

TEST(Grammar, RefusesWhatItCannotRead) {
  expect_error({}, kWords, "at least one rule");
  expect_error({{"story", {}}}, kWords, "\"story\" has no templates");
  expect_error({{"story", {"a [dog]"}}}, kWords, "Nothing is called \"dog\" in the template");
  expect_error({{"story", {"a {story}"}}}, kWords, "Nothing is called \"story\" among the words");
  expect_error({{"story", {"a [pet"}}}, kWords, "not closed in the template \"a [pet\"");
  expect_error({{"story", {"x", "a [story]"}}}, kWords, "\"story\" calls itself");
  expect_error({{"pet", {"x"}}}, kWords, "\"pet\" is given twice");
  expect_error({{"story", {"x"}}}, {{{"pet", "a pet"}, {{"cat"}}}}, "has 1 forms");
  expect_error({{"story", {"x"}}}, {{{"pet"}, {}}}, "\"pet\" has no words");
  expect_error({{"story", {"x"}}}, {{{}, {}}}, "has no form");
}

TEST(Grammar, RefusesARecallThatCanComeTooEarly) {
  expect_error({{"story", {"{pet} and [pet]"}}}, kWords, "recalls \"pet\"");
  // Chosen in one of the two ways to reach it only.
  expect_error({{"story", {"[start] {pet}"}}, {"start", {"[pet]", "nobody"}}}, kWords,
               "recalls \"pet\"");
  EXPECT_NO_THROW(
      Grammar({{"story", {"[start] {pet}"}}, {"start", {"one [pet]", "my [pet]"}}}, kWords));
}

}  // namespace
}  // namespace andrea
