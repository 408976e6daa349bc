// File: grammar.h
//
// A language small enough to know everything about it: texts made by filling templates, where each
// free choice is uniform. The grammar is data; this class writes texts in it, reads them back, and
// tells exactly how probable each is and how much there is to learn.
//
//   const Grammar grammar(
//       {{"story", {"[a pet] named [name] came in. {He} was [mood].", "[name] has [a pet]."}},
//        {"mood", {"happy", "as proud as [a pet]"}}},
//       {{{"pet", "a pet"}, {{"cat", "a cat"}, {"owl", "an owl"}}},
//        {{"name", "he"}, {{"Tom", "he"}, {"Lucy", "she"}}}});
//
// A rule is a list of templates, a word list a list of words. Text starts from the first rule.
// In a template,
//   [square brackets] choose: a template of the rule of that name, or a word of the list that has a
//                     form of that name. The word is written in that form and remembered.
//   {curly brackets}  recall: the word chosen last from the list, in any of its forms, so that
//                     names, pronouns and things agree throughout. A recall costs no bits.
// Every form has a twin with a capital initial: {He} writes "He".
//
// What makes the arithmetic exact: a choice among n alternatives has probability 1/n whatever was
// chosen before, rules do not call themselves, and (where find_ambiguity in ambiguity.h finds
// nothing) each text has one derivation, so that the probability of a text is that of its
// derivation.

#ifndef ANDREA_TRAINER_STORIES_GRAMMAR_H_
#define ANDREA_TRAINER_STORIES_GRAMMAR_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "trainer/base/random.h"

namespace andrea {

// A name, and what it may become.
struct Rule {
  std::string name;                    // as templates call it
  std::vector<std::string> templates;  // each as likely as the others
};

// Words that take each other's place, in several forms.
struct WordList {
  std::vector<std::string> forms;               // The names of the forms, as "cat" and "a cat".
  std::vector<std::vector<std::string>> words;  // Of each word the text of every form.
};

// A text that the grammar has made.
struct GeneratedText {
  std::string text;         // without its derivation
  double log2_probability;  // of the choices made on the way
};

// All ways in which a text can be derived; log2_probability is that of all together, minus infinity
// when there is none.
struct Derivations {
  std::int64_t count;       // how many ways
  double log2_probability;  // of all together
};

// A template's parts, once its names have been looked up.
struct Piece {
  // Text as it stands, a choice among templates or words, or a word chosen before.
  enum class Kind { literal, choose_template, choose_word, recall };

  Kind kind;              // what the part does
  std::string literal;    // the text itself, for Kind::literal
  std::size_t index = 0;  // Of the rule or of the word list.
  std::size_t form = 0;   // of the word, in the list's forms
};

using Pieces = std::vector<Piece>;  // a template

class Grammar {
 public:
  // Error, naming the template, for an unknown name, an unclosed bracket, a rule that calls itself,
  // or a recall that some derivation reaches before the word has been chosen.
  Grammar(std::vector<Rule> rules, std::vector<WordList> lists);

  // A text of the first rule; each choice is uniform, and drawn from `random`.
  GeneratedText generate(Random random) const;

  // Tries every alternative of every choice: nothing here relies on the grammar being unambiguous.
  Derivations parse(std::string_view text) const;

  // The entropy of a derivation, which is that of a text where the grammar is unambiguous. By
  // recursion: a rule of n templates has log2 n bits plus the mean over its templates.
  double entropy_bits() const;

  // The expected length of a text, by the same recursion. A recalled word is as long as the words
  // of its list on average, since no choice depends on which of them was chosen.
  double mean_bytes() const;

  const std::vector<Rule>& rules() const { return rules_; }      // as they were given
  const std::vector<WordList>& lists() const { return lists_; }  // as they were given

  // The templates of a rule, in the order of rules().
  const std::vector<Pieces>& compiled(std::size_t rule) const { return compiled_[rule]; }

 private:
  struct Continuation;
  class Writer;
  class Parser;

  Pieces compile(const std::string& source) const;
  Piece look_up(const std::string& name, bool choose, const std::string& source) const;
  std::set<std::size_t> check_recalls(std::size_t rule, const std::set<std::size_t>& chosen,
                                      std::set<std::size_t> callers) const;
  double rule_entropy_bits(std::size_t rule) const;
  double rule_mean_bytes(std::size_t rule) const;

  std::vector<Rule> rules_;
  std::vector<WordList> lists_;
  std::vector<std::vector<Pieces>> compiled_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_STORIES_GRAMMAR_H_
