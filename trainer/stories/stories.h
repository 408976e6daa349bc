// File: stories.h
//
// The default corpus: short children's stories, as many as one wants, from a language whose entropy
// is known. A model's loss on most texts has no scale: nobody knows how good it could be. Here it
// is known exactly, and no model can do better on average than story_entropy_bits_per_byte().
//
//   const Story story = generate_story(/*seed=*/1, /*index=*/0);
//   story_log2_probability(story.text);        // story.log2_probability
//   story_log2_probability("To be or not");    // nothing: not a story of this language
//
// Bits are counted over a story as a document: all of its bytes and the fact that it ends there. No
// story is the beginning of another, so the end costs no bits. A story is one line without a
// newline, about 450 bytes long. Repeats are rare: none in the first 100,000 of a seed, and at 165
// bits a story none is to be expected in any corpus that fits on a disk.

#ifndef ANDREA_TRAINER_STORIES_STORIES_H_
#define ANDREA_TRAINER_STORIES_STORIES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trainer/corpus/document_source.h"
#include "trainer/stories/grammar.h"

namespace andrea {

using Story = GeneratedText;  // with its probability

// A function of its arguments alone: the same story on every machine.
Story generate_story(std::uint64_t seed, std::uint64_t index);

// Exact. Nothing for a text that is no story.
std::optional<double> story_log2_probability(std::string_view text);

// The source's entropy a story, the mean length of a story, and their ratio. Exact.
double story_entropy_bits();
double story_mean_bytes();
double story_entropy_bits_per_byte();

// The stories 0 .. count-1 of a seed. A count below 1 is an Error.
class StorySource : public DocumentSource {
 public:
  // Error: a count below 1.
  StorySource(std::uint64_t seed, std::int64_t count);

  bool next(std::string* document) override;
  void rewind() override { index_ = 0; }
  std::string description() const override;

 private:
  std::uint64_t seed_;
  std::int64_t count_;
  std::int64_t index_ = 0;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_STORIES_STORIES_H_
