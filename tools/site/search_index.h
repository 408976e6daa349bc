// File: search_index.h
//
// Doxygen's search knows its pages by the first word of their titles, and nothing of their
// headings. This adds what a student looks for: pages, headings, concepts and terms, each by every
// word.

#ifndef ANDREA_TOOLS_SITE_SEARCH_INDEX_H_
#define ANDREA_TOOLS_SITE_SEARCH_INDEX_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tools/site/site_map.h"

namespace andrea::site {

// A place that the search leads to.
struct SearchPlace {
  std::string text;  // HTML
  std::string url;   // relative to the site's folder
};

// The places of a page, from its finished HTML: its title, what follows an anchor (headings,
// concepts), and terms in bold at the beginning of a list's item, which lie below the heading
// before.
std::vector<SearchPlace> search_places(const Page& page, std::string_view html);

// From each word of a text that means something to its end, as Doxygen writes keys: small letters,
// and everything else by its number.
std::vector<std::string> search_keys(std::string_view text);

// Adds the places of all pages to the search of a finished site, before what Doxygen found. Throws
// std::runtime_error where the site has no search.
void add_to_search(const std::filesystem::path& site, const SiteMap& map);

}  // namespace andrea::site

#endif  // ANDREA_TOOLS_SITE_SEARCH_INDEX_H_
