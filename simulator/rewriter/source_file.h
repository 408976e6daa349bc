// File: simulator/rewriter/source_file.h
//
// Reading a source file, and showing a learner what was found in it.

#ifndef ANDREA_SIMULATOR_REWRITER_SOURCE_FILE_H_
#define ANDREA_SIMULATOR_REWRITER_SOURCE_FILE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/rewriter/finding.h"

namespace simulator {

// The file's bytes; else nothing, and `problem` is a sentence about it: absent, a folder, not text,
// larger than any source.
std::optional<std::string> read_source(const std::string& path, std::string& problem);

// False, and a sentence in `problem`, if the file cannot be written.
bool write_source(const std::string& path, std::string_view text, std::string& problem);

// "path:line:column: error: sentence", then the line of `source` and a caret under the column; of
// many findings the first twenty.
std::string describe(const std::vector<Finding>& findings, std::string_view source,
                     const std::string& path);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_SOURCE_FILE_H_
