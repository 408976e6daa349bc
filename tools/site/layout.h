// File: layout.h
//
// Doxygen's layout file: the side bar in the order of the course, and pages of the reference that
// begin with what there is to read.

#ifndef ANDREA_TOOLS_SITE_LAYOUT_H_
#define ANDREA_TOOLS_SITE_LAYOUT_H_

#include <string>

#include "tools/site/site_map.h"

namespace andrea::site {

// The layout file, as XML.
std::string layout_of(const SiteMap& site);

}  // namespace andrea::site

#endif  // ANDREA_TOOLS_SITE_LAYOUT_H_
