// File: story_grammar.h
//
// The stories' language: eight plots, six sentences a story. A small hero loses a thing, looks for
// a friend, is caught in a storm, shares a meal, learns an instrument, takes a present to a party,
// quarrels and makes up, or grows a garden. What is introduced early (hero and pronoun, the friend,
// the thing and its color, the day) is referred to later, so that a model has to look back to guess
// well; what is new is a free choice among many words, so that most of the entropy lies there.
//
// The sentences are in story_grammar.cc, to be read; grammar.h explains the brackets.

#ifndef ANDREA_TRAINER_STORIES_STORY_GRAMMAR_H_
#define ANDREA_TRAINER_STORIES_STORY_GRAMMAR_H_

#include "trainer/stories/grammar.h"

namespace andrea {

const Grammar& story_grammar();

}  // namespace andrea

#endif  // ANDREA_TRAINER_STORIES_STORY_GRAMMAR_H_
