// File: simulator/rewriter/template_list.h
//
// Which < and > hold template arguments, as far as tokens tell.

#ifndef ANDREA_SIMULATOR_REWRITER_TEMPLATE_LIST_H_
#define ANDREA_SIMULATOR_REWRITER_TEMPLATE_LIST_H_

#include <cstddef>

#include "simulator/rewriter/regions.h"

namespace simulator {

// The token that closes the list which the < at `open` opens; kNone if there is none before the end
// of the statement. It may be a >> or >>> that closes outer lists too.
std::size_t template_list_end(const Region& region, std::size_t open);

// The < of the outermost list that the >, >> or >>> at `close` closes; kNone if what is before
// cannot be template arguments.
std::size_t template_list_begin(const Region& region, std::size_t close);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_TEMPLATE_LIST_H_
