// File: html_check.h
//
// Looks through a finished site, page by page, for what a reader would stumble over.

#ifndef ANDREA_TOOLS_SITE_HTML_CHECK_H_
#define ANDREA_TOOLS_SITE_HTML_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace andrea::site {

// A tag of an HTML page that opens an element.
struct Tag {
  std::string name;                               // in small letters
  std::map<std::string, std::string> attributes;  // without their entities
};

// The opening tags of a page; comments, scripts and styles are passed over.
std::vector<Tag> tags_of(std::string_view html);

struct SiteReport {
  std::size_t pages = 0;
  std::size_t links = 0;  // within the site
  std::size_t images = 0;
  std::uintmax_t bytes = 0;         // of the whole folder
  std::vector<std::string> faults;  // a sentence each
};

// Faults are links and images that lead nowhere (anchors counted), images without an alternative
// text, anchors that two elements of a page share, pages without a language or a title, and styles,
// scripts, images or frames from elsewhere: the site must work without a network.
SiteReport check_site(const std::filesystem::path& folder);

}  // namespace andrea::site

#endif  // ANDREA_TOOLS_SITE_HTML_CHECK_H_
