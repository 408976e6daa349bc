// File: document_source.h
//
// A stream of documents: what the tokenizer is trained on and what becomes token shards. A document
// is any byte string; it is never cut between training and validation.

#ifndef ANDREA_TRAINER_CORPUS_DOCUMENT_SOURCE_H_
#define ANDREA_TRAINER_CORPUS_DOCUMENT_SOURCE_H_

#include <string>

namespace andrea {

class DocumentSource {
 public:
  virtual ~DocumentSource() = default;

  // Puts the next document into *document; false at the end.
  virtual bool next(std::string* document) = 0;

  // Begins anew. Every pass yields the same documents in the same order.
  virtual void rewind() = 0;

  // One line for people and for the run's records: "3 files of novels/", "stories, seed 1".
  virtual std::string description() const = 0;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_DOCUMENT_SOURCE_H_
