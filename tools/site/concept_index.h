// File: concept_index.h
//
// The index of concepts: where each is introduced, and which exercises need it. Made of
// lessons/course.json alone.

#ifndef ANDREA_TOOLS_SITE_CONCEPT_INDEX_H_
#define ANDREA_TOOLS_SITE_CONCEPT_INDEX_H_

#include <string>

#include "tools/course/course.h"
#include "tools/site/site_map.h"

namespace andrea::site {

// The index as the text of a page, in Doxygen's commands.
std::string concept_index(const course::Course& course, const SiteMap& site);

// HTML that names a concept and leads to its place in the index.
std::string concept_link(const std::string& concept_name);

}  // namespace andrea::site

#endif  // ANDREA_TOOLS_SITE_CONCEPT_INDEX_H_
