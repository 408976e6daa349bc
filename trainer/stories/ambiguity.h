// File: ambiguity.h
//
// A proof that a grammar is unambiguous: that each text has one derivation.
//
// The argument. Suppose that wherever the grammar chooses, no text of one alternative is the
// beginning of (or equal to) a text of another. Take two derivations of one text and the first
// choice at which they differ. All before it is equal, so both alternatives begin at the same place
// of the text, and what they derive are two beginnings of the same rest: one is a beginning of the
// other, against the supposition. Hence there are no two derivations. For the same reason no text
// is the beginning of another, so where a text ends is known from the text.
//
// The test. For two alternatives, build the automaton of each: states joined by letters, a path
// from start to end for every text. Walk both in step, over all pairs of states that some common
// text reaches; if no such pair holds the end of either automaton, the supposition holds for the
// two. An automaton does not remember, so a recall is taken for any word of its list. That adds
// texts and removes none: the test may refuse a grammar that is unambiguous, never accept one that
// is not.
//
//   {"story", {"[pet] ran", "[pet] ran away"}}   is refused: "cat ran" is the beginning of both.

#ifndef ANDREA_TRAINER_STORIES_AMBIGUITY_H_
#define ANDREA_TRAINER_STORIES_AMBIGUITY_H_

#include <optional>
#include <string>

#include "trainer/stories/grammar.h"

namespace andrea {

// A sentence that names two alternatives and a text with which both can begin, or nothing: then the
// grammar is unambiguous.
std::optional<std::string> find_ambiguity(const Grammar& grammar);

}  // namespace andrea

#endif  // ANDREA_TRAINER_STORIES_AMBIGUITY_H_
