#include "trainer/stories/stories.h"

#include "trainer/base/error.h"
#include "trainer/base/random.h"
#include "trainer/stories/story_grammar.h"

namespace andrea {

Story generate_story(std::uint64_t seed, std::uint64_t index) {
  return story_grammar().generate(Random(seed, index));
}

std::optional<double> story_log2_probability(std::string_view text) {
  const Derivations derivations = story_grammar().parse(text);
  if (derivations.count == 0) return std::nullopt;
  return derivations.log2_probability;
}

double story_entropy_bits() { return story_grammar().entropy_bits(); }

double story_mean_bytes() { return story_grammar().mean_bytes(); }

double story_entropy_bits_per_byte() { return story_entropy_bits() / story_mean_bytes(); }

StorySource::StorySource(std::uint64_t seed, std::int64_t count) : seed_(seed), count_(count) {
  require(count >= 1, "The number of stories is ", count, "; ask for at least 1.");
}

bool StorySource::next(std::string* document) {
  if (index_ == count_) return false;
  *document = generate_story(seed_, static_cast<std::uint64_t>(index_)).text;
  ++index_;
  return true;
}

std::string StorySource::description() const {
  return text(count_, count_ == 1 ? " story" : " stories", ", seed ", seed_);
}

}  // namespace andrea
