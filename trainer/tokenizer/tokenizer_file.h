// File: tokenizer_file.h
//
// A tokenizer on disk, in the files of Hugging Face's GPT-2, so that other tools can use a model
// trained here, and this program the tokenizer:
//
//   tokenizer.json          all there is to know; the only file that is read back
//   vocab.json, merges.txt  the same in the older form
//   tokenizer_config.json   the class and the special token, for `transformers`
//
// Tokens are written in GPT-2's byte alphabet (byte_alphabet.h). A tool that reads these files
// turns the text <|endoftext|> into BOS; Tokenizer::encode does not.

#ifndef ANDREA_TRAINER_TOKENIZER_TOKENIZER_FILE_H_
#define ANDREA_TRAINER_TOKENIZER_TOKENIZER_FILE_H_

#include <filesystem>

#include "trainer/tokenizer/tokenizer.h"

namespace andrea {

// Writes the four files into the folder, which must exist. The same tokenizer always gives the same
// bytes. They are on the disk when it returns (see write_file).
void save_tokenizer(const Tokenizer& tokenizer, const std::filesystem::path& folder);

// Reads a tokenizer.json that save_tokenizer wrote, or that another tool wrote from it (merges as
// "a b" or as ["a", "b"]). Error, naming the file and the fault, if anything in it would make other
// ids than Tokenizer does: other special tokens, ids not in Tokenizer's order, merges that do not
// fit the vocabulary, a normalizer, another pre-tokenizer, options of the model that are not ours.
Tokenizer load_tokenizer(const std::filesystem::path& tokenizer_json);

}  // namespace andrea

#endif  // ANDREA_TRAINER_TOKENIZER_TOKENIZER_FILE_H_
