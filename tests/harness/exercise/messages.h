// File: messages.h
//
// The sentences that a person reads in a terminal, by their names in lessons/messages.json and the
// lessons' own messages.json, so that they can be read, mended and translated apart from the code.
//
//   message("pattern.ratio", {{"ratio", "0.125"}})

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_MESSAGES_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_MESSAGES_H_

#include <map>
#include <string>

namespace andrea {

// The text of "group.name" with each {word} replaced by its value. Throws std::out_of_range where
// there is no such text, or a word of it has no value: a test must say what it means.
std::string message(const std::string& name, const std::map<std::string, std::string>& words = {});

// Takes in the texts of another catalogue, given as its JSON: an exam brings its own along.
void add_messages(const std::string& json);

// Whether there is a text of that name.
bool has_message(const std::string& name);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_MESSAGES_H_
