// File: text_source.h
//
// Any text as a stream of documents: files, folders, patterns (text_files.h), gzip files, and JSON
// lines (.jsonl, .ndjson), where each line is an object whose field `json_field` holds a text.
//
//     TextOptions options;
//     options.paths = {"novels/", "letters/*.txt.gz", "stories.jsonl"};
//     options.documents = "paragraph";
//     std::unique_ptr<DocumentSource> source = open_text(options);
//     for (std::string document; source->next(&document);) ...
//
// `documents` says what one document is:
//   file              a file; in JSON lines, an object's text
//   paragraph         what stands between blank lines
//   line              a line
//   separator:STRING  what stands between two STRINGs (\n, \t and \\ are understood in it)
//   auto              as `file`; but when that yields fewer than 50 documents, which is too few to
//                     put some aside for validation, long ones are divided into sections of about a
//                     hundredth of the whole (64 bytes to 1 MiB), at paragraph breaks if possible
//
// Documents of white space alone are dropped, and so are the line breaks around a paragraph, a line
// and a separator; not a byte else, but for CR LF and byte-order marks (text_reader.h). Memory
// holds one document at a time; only `file` has to hold whole files.

#ifndef ANDREA_TRAINER_CORPUS_TEXT_SOURCE_H_
#define ANDREA_TRAINER_CORPUS_TEXT_SOURCE_H_

#include <memory>
#include <string>
#include <vector>

#include "trainer/corpus/document_source.h"

namespace andrea {

struct TextOptions {
  std::vector<std::string> paths;   // files, folders, patterns
  std::string documents = "auto";   // how files are cut: the values of --documents
  std::string json_field = "text";  // of a JSON line, the text
};

// Error: what find_text_files() refuses, an unknown value of `documents`, a text of white space
// alone; and, from here or next(), a damaged gzip file, a line that is not a JSON object or lacks
// the field (told with file and line).
std::unique_ptr<DocumentSource> open_text(const TextOptions& options);

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_TEXT_SOURCE_H_
