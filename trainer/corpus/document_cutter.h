// File: document_cutter.h
//
// Where a text is cut into documents. A cutter looks at the text that has been read so far and
// tells where its first document ends; the caller reads on when it cannot tell yet.
//
//     DocumentCutter cutter = cut_at_lines();
//     cutter("one\ntwo", false);   // Cut{3, 4}: the document is "one", the next begins at "two"
//     cutter("two", false);        // nothing: the line may go on
//     cutter("two", true);         // nothing, and the text is complete: all of it is the document

#ifndef ANDREA_TRAINER_CORPUS_DOCUMENT_CUTTER_H_
#define ANDREA_TRAINER_CORPUS_DOCUMENT_CUTTER_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace andrea {

// Where a document was cut off.
struct Cut {
  std::size_t end;   // The first document is text[0, end).
  std::size_t next;  // The rest begins here; what lies between is dropped.
};

// `complete` says that no text follows. No cut means: read on, or, if complete, take all.
using DocumentCutter = std::function<std::optional<Cut>(std::string_view text, bool complete)>;

// The whole text is one document.
DocumentCutter cut_nowhere();

// Each line is a document.
DocumentCutter cut_at_lines();

// Documents are separated by lines that are empty or blank.
DocumentCutter cut_at_blank_lines();

// Documents are separated by this string. Error: it is empty.
DocumentCutter cut_at_separator(std::string separator);

// Sections of about `bytes` bytes (half as many to half as many again), nothing dropped. Each ends
// at the paragraph break nearest to that length; failing that at a line break, a space, the end of
// a UTF-8 character.
DocumentCutter cut_into_sections(std::size_t bytes);

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_DOCUMENT_CUTTER_H_
