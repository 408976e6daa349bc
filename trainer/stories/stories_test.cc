#include "trainer/stories/stories.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "trainer/base/error.h"

namespace andrea {
namespace {

TEST(Stories, EachHasAnExactProbability) {
  const Story story = generate_story(/*seed=*/1, /*index=*/0);
  EXPECT_EQ(generate_story(1, 0).text, story.text);
  EXPECT_NE(generate_story(1, 1).text, story.text);
  EXPECT_NE(generate_story(2, 0).text, story.text);
  EXPECT_EQ(story_log2_probability(story.text), story.log2_probability);
  EXPECT_EQ(story_log2_probability("To be or not"), std::nullopt);
}

TEST(Stories, EachOfManyHasOneDerivationOfTheProbabilityItWasMadeWith) {
  for (std::uint64_t index = 0; index < 10000; ++index) {
    const Story story = generate_story(3, index);
    // Two derivations would add up to more.
    ASSERT_EQ(story_log2_probability(story.text), story.log2_probability) << story.text;
  }
}

TEST(Stories, ATextThatIsNotQuiteAStoryHasNone) {
  for (std::uint64_t index = 0; index < 200; ++index) {
    const std::string story = generate_story(4, index).text;
    EXPECT_EQ(story_log2_probability(story.substr(0, story.size() - 1)), std::nullopt);
    EXPECT_EQ(story_log2_probability(story + " "), std::nullopt);
    EXPECT_EQ(story_log2_probability(story + " " + story), std::nullopt);
  }
  EXPECT_EQ(story_log2_probability(""), std::nullopt);
}

TEST(Stories, ANameThatChangesHalfwayIsNoStory) {
  const std::string begin = "Once there was a shy cat named Ben, who loved fishing. ";
  const std::string middle =
      "One warm Friday morning, his red ball was gone. He kindly looked under the old bed, but "
      "found only a leaf. Then a shy dog named Pip ran by and stopped to help. \"Here is your "
      "ball!\" said the dog, pointing at the old bed. ";
  EXPECT_TRUE(story_log2_probability(begin + middle +
                                     "Ben and Pip ran home, happy and full of "
                                     "hot pies."));
  EXPECT_FALSE(story_log2_probability(begin + middle +
                                      "Tom and Pip ran home, happy and full of "
                                      "hot pies."));
}

TEST(Stories, ExactEntropyAndLengthAgreeWithSampledOnes) {
  constexpr int kStories = 20000;
  double bits = 0.0, bits_squared = 0.0, bytes = 0.0, bytes_squared = 0.0;
  for (std::uint64_t index = 0; index < kStories; ++index) {
    const Story story = generate_story(5, index);
    const double length = static_cast<double>(story.text.size());
    bits -= story.log2_probability;
    bits_squared += story.log2_probability * story.log2_probability;
    bytes += length;
    bytes_squared += length * length;
  }
  const auto expect_mean = [](double sum, double sum_of_squares, double expected) {
    const double mean = sum / kStories;
    const double error = std::sqrt((sum_of_squares / kStories - mean * mean) / kStories);
    EXPECT_LT(error, 0.01 * expected);
    EXPECT_NEAR(mean, expected, 4.0 * error);
  };
  expect_mean(bits, bits_squared, story_entropy_bits());
  expect_mean(bytes, bytes_squared, story_mean_bytes());
}

TEST(Stories, EntropyAByteIsWhatTheGrammarWasWrittenFor) {
  EXPECT_DOUBLE_EQ(story_entropy_bits_per_byte(), story_entropy_bits() / story_mean_bytes());
  EXPECT_GT(story_entropy_bits_per_byte(), 0.35);
  EXPECT_LT(story_entropy_bits_per_byte(), 0.70);
}

TEST(Stories, NoneRepeatsAmongAHundredThousand) {
  std::unordered_set<std::string> distinct;
  for (std::uint64_t index = 0; index < 100000; ++index) {
    distinct.insert(generate_story(1, index).text);
  }
  EXPECT_EQ(distinct.size(), 100000u);
}

TEST(StorySource, YieldsTheSameStoriesInEveryPass) {
  StorySource source(/*seed=*/1, /*count=*/3);
  EXPECT_EQ(source.description(), "3 stories, seed 1");
  for (int pass = 0; pass < 2; ++pass) {
    std::string document;
    for (std::uint64_t index = 0; index < 3; ++index) {
      ASSERT_TRUE(source.next(&document));
      EXPECT_EQ(document, generate_story(1, index).text);
    }
    EXPECT_FALSE(source.next(&document));
    EXPECT_FALSE(source.next(&document));
    source.rewind();
  }
}

TEST(StorySource, RefusesToTellNoStory) {
  EXPECT_THROW(StorySource(1, 0), Error);
  EXPECT_THROW(StorySource(1, -5), Error);
}

}  // namespace
}  // namespace andrea
