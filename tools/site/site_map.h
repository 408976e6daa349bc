// File: site_map.h
//
// The pages of the site, in the order of docs/order.txt, and where a link between files of the
// repository leads on the site.
//
// In docs/order.txt a line that is not indented is a heading of the side bar, an indented one a
// page below it: a Markdown file of the repository, or @concepts (the index of concepts), @topics
// (the reference), @classes. Headings that begin with `instructor:` are in the instructor's site
// only.

#ifndef ANDREA_TOOLS_SITE_SITE_MAP_H_
#define ANDREA_TOOLS_SITE_SITE_MAP_H_

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace andrea::site {

// A page that is written from a Markdown file, or from data (its path begins with @).
struct Page {
  std::string path;      // in the repository
  std::string id;        // Doxygen's name of it: "lesson_03"
  std::string title;     // the file's first heading
  std::string markdown;  // the file without that heading

  // Whether Doxygen writes it itself, from the sources.
  bool is_doxygens() const { return path == "@topics" || path == "@classes"; }
};

// A heading of the side bar, with its pages.
struct Section {
  std::string title;
  std::vector<Page> pages;
};

class SiteMap {
 public:
  // Reads the order and every page. `root` is the repository. Throws std::runtime_error for a page
  // that is not there, and for a Markdown file below docs/ that the order forgets.
  SiteMap(const std::filesystem::path& root, bool instructor);

  // The headings of the side bar, the first page being the site's front page.
  const std::vector<Section>& sections() const { return sections_; }

  // The page of a Markdown file, or null.
  const Page* page_of(std::string_view path) const;

  // Where `url`, written in the file `from`, leads: an anchor of the site that Doxygen's @ref
  // takes, or nothing, if what it names has no place there. Throws std::runtime_error for a file
  // that the repository does not have.
  std::string anchor(const std::string& from, std::string_view url);

  // Files of the repository that pages link to and that are no pages: each gets one that shows it.
  const std::set<std::string>& shown_files() const { return shown_files_; }

  // The whole file, by its path in the repository.
  std::string read(const std::string& path) const;

  // Whether the repository has the file.
  bool has(const std::string& path) const;

 private:
  void read_order(bool instructor);
  void require_complete(bool instructor) const;
  Page page(const std::string& path) const;

  std::filesystem::path root_;
  std::set<std::string> ordered_;  // all pages of the order, also those of the other site
  std::vector<Section> sections_;
  std::set<std::string> shown_files_;
};

// "docs/x y.md" as a name that Doxygen takes: "docs_x_y_md".
std::string name_of(std::string_view text);

// The name that a heading has in links, as on GitHub: "How it works" is "how-it-works".
std::string slug_of(std::string_view heading);

// The anchor of a page's heading.
std::string anchor_of(std::string_view page_id, std::string_view slug);

// The id of the page that shows a file of the repository.
std::string file_page_id(std::string_view path);

}  // namespace andrea::site

#endif  // ANDREA_TOOLS_SITE_SITE_MAP_H_
