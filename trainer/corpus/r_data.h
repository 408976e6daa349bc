// File: r_data.h
//
// Reads texts out of the data files of R packages, without R. Such a package keeps its data in
// Rdata.rdb: blocks one after the other, each a 4-byte big-endian length and that many bytes packed
// by zlib. A block is one object in R's serialisation, format XDR (R Internals, section 1.8):
//   "X\n"; int32 format version (2 or 3), two more of R's versions; in version 3 the name of the
//   encoding, an int32 length and its bytes; then the object, which begins with int32 flags.
//   A character vector: flags with type 16, int32 count, and as often a string: flags with type 9,
//   int32 length (-1 is NA, "not available"), bytes. All integers are big-endian.

#ifndef ANDREA_TRAINER_CORPUS_R_DATA_H_
#define ANDREA_TRAINER_CORPUS_R_DATA_H_

#include <string>
#include <string_view>
#include <vector>

namespace andrea {

// The blocks of an .rdb file, unpacked. Error: it is cut short, or a block is not zlib's (R can
// also use bzip2 and xz).
std::vector<std::string> unpack_r_blocks(std::string_view file);

// The strings of a serialised character vector; NA becomes an empty string. Error: another kind of
// object, attributes, strings in Latin-1, or bytes that are cut short.
std::vector<std::string> read_r_strings(std::string_view serialised);

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_R_DATA_H_
