// File: index_advice.h
//
// What usually leads an index past the end of its array. An array whose name ends with its sizes,
// as "table [3 x 2]" does, is read as rows: then the report can say which element that would be.

#ifndef ANDREA_SIMULATOR_CHECK_INDEX_ADVICE_H_
#define ANDREA_SIMULATOR_CHECK_INDEX_ADVICE_H_

#include <cstddef>
#include <string>
#include <vector>

namespace simulator {

// The sizes at the end of a name: {3, 2} of "table [3 x 2]"; empty where there are none.
std::vector<std::size_t> sizes_in_name(const std::string& name);

// The cause where nothing is known of the array.
std::string advice_on_index();

// The cause for the array called `name`, which has so many bytes, of an access that lies `offset`
// bytes behind its start, which is not before its end.
std::string advice_on_index(const std::string& name, std::size_t bytes, std::size_t offset);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_CHECK_INDEX_ADVICE_H_
