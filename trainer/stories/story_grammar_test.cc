#include "trainer/stories/story_grammar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "trainer/base/random.h"
#include "trainer/stories/ambiguity.h"
#include "trainer/stories/grammar.h"
#include "trainer/stories/story_words.h"

namespace andrea {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

TEST(StoryGrammar, IsUnambiguous) {
  EXPECT_EQ(find_ambiguity(story_grammar()).value_or("none"), "none");
}

TEST(StoryGrammar, OneCarelessTemplateOrWordMakesItAmbiguous) {
  std::vector<Rule> rules = story_grammar().rules();
  ASSERT_EQ(rules[1].name, "opening");
  // One more sentence where a template might have ended.
  rules[1].templates.push_back(rules[1].templates[0] + " {He} always had.");
  EXPECT_TRUE(find_ambiguity(Grammar(rules, story_words())));

  std::vector<WordList> words = story_words();
  const auto garments = std::find_if(
      words.begin(), words.end(), [](const WordList& list) { return list.forms[0] == "garment"; });
  ASSERT_NE(garments, words.end());
  garments->words.push_back({"cap"});  // As "cape" begins.
  EXPECT_TRUE(find_ambiguity(Grammar(story_grammar().rules(), words)));
}

TEST(StoryGrammar, EveryRuleIsUsed) {
  std::set<std::size_t> reached = {0};
  std::vector<std::size_t> pending = {0};
  while (!pending.empty()) {
    const std::size_t rule = pending.back();
    pending.pop_back();
    for (const Pieces& pieces : story_grammar().compiled(rule)) {
      for (const Piece& piece : pieces) {
        if (piece.kind != Piece::Kind::choose_template) continue;
        if (reached.insert(piece.index).second) pending.push_back(piece.index);
      }
    }
  }
  EXPECT_EQ(reached.size(), story_grammar().rules().size());
}

TEST(StoryGrammar, HasManyTemplatesAndWords) {
  std::size_t templates = 0;
  for (const Rule& rule : story_grammar().rules()) templates += rule.templates.size();
  EXPECT_GE(templates, 60u);

  std::set<std::string> distinct;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    for (std::string word : words_of(story_grammar().generate(Random(1, index)).text)) {
      std::erase_if(word,
                    [](unsigned char letter) { return std::ispunct(letter) && letter != '-'; });
      std::transform(word.begin(), word.end(), word.begin(),
                     [](unsigned char letter) { return std::tolower(letter); });
      distinct.insert(word);
    }
  }
  EXPECT_GE(distinct.size(), 400u);
}

TEST(StoryGrammar, StoriesAreShortAndWellWritten) {
  for (std::uint64_t index = 0; index < 2000; ++index) {
    const std::string story = story_grammar().generate(Random(2, index)).text;
    const std::vector<std::string> words = words_of(story);
    EXPECT_GE(words.size(), 40u) << story;
    EXPECT_LE(words.size(), 100u) << story;
    EXPECT_EQ(story.find("  "), std::string::npos) << story;
    EXPECT_EQ(std::count(story.begin(), story.end(), '"') % 2, 0) << story;
    EXPECT_NE(std::string(".\"").find(story.back()), std::string::npos) << story;
    bool sentence_starts = true;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      const char first = word[0] == '"' ? word[1] : word[0];
      // What follows a spoken question or exclamation may go on ("Come in!" said Pip).
      EXPECT_TRUE(!sentence_starts || std::isupper(first)) << word << ": " << story;
      sentence_starts = word.ends_with('.') || word.ends_with(".\"");
      if (i == 0) continue;
      const bool vowel = std::string("aeiou").find(first) != std::string::npos;
      const std::string& before = words[i - 1];
      EXPECT_FALSE((before == "a" || before == "A") && vowel) << word << ": " << story;
      EXPECT_FALSE((before == "an" || before == "An") && !vowel) << word << ": " << story;
    }
  }
}

}  // namespace
}  // namespace andrea
