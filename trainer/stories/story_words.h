// File: story_words.h
//
// The words of the stories, kind by kind: whatever can stand in one place of a sentence is in one
// list, so that a model trained on the stories learns that a cat is like a dog, and a Tuesday like
// a Friday, but a cat not like a Tuesday.
//
// The names of a list's forms are what the templates in story_grammar.cc write in brackets. Two
// lists may hold the same words under different names: the hero is a {kind}, the friend a {fellow}.
// Within a list no word may begin another ("cap", "cape"); ambiguity.h says why.

#ifndef ANDREA_TRAINER_STORIES_STORY_WORDS_H_
#define ANDREA_TRAINER_STORIES_STORY_WORDS_H_

#include <vector>

#include "trainer/stories/grammar.h"

namespace andrea {

std::vector<WordList> story_words();

}  // namespace andrea

#endif  // ANDREA_TRAINER_STORIES_STORY_WORDS_H_
