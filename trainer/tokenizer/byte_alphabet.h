// File: byte_alphabet.h
//
// GPT-2's way to write any bytes as visible text in tokenizer files: each byte is one character.
// Bytes 33 to 126, 161 to 172 and 174 to 255 are the characters of the same number; the other 68,
// in ascending order, are U+0100 to U+0143. So " the" is written "Ġthe", a line feed "Ċ". The files
// are in UTF-8.

#ifndef ANDREA_TRAINER_TOKENIZER_BYTE_ALPHABET_H_
#define ANDREA_TRAINER_TOKENIZER_BYTE_ALPHABET_H_

#include <string>
#include <string_view>

namespace andrea {

// The bytes, written in the alphabet.
std::string write_bytes(std::string_view bytes);

}  // namespace andrea

#endif  // ANDREA_TRAINER_TOKENIZER_BYTE_ALPHABET_H_
