#include "tools/site/site_map.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "trainer/base/file.h"

namespace andrea::site {
namespace {

namespace fs = std::filesystem;

constexpr char kOrder[] = "docs/order.txt";
constexpr std::string_view kInstructor = "instructor:";

// What a lesson's page shows of the lesson's other files, each under an anchor of its own.
constexpr std::string_view kShownOnLessonPage[] = {"answers.md", "hints.md",    "further.h",
                                                   "kernel.h",   "reference.h", "worksheet.h"};

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \r") - first + 1);
}

std::string id_of(const std::string& path) {
  if (path.front() == '@') return path.substr(1);
  const fs::path file(path);
  const std::string folder = file.parent_path().filename().string();
  const std::string stem = file.stem().string();
  if (stem == "README") {
    if (folder.empty()) return "readme";
    return folder == "lessons" ? "lessons" : "lesson_" + folder.substr(0, 2);
  }
  if (stem == "NOTES") return "notes_" + folder.substr(0, 2);
  return name_of(folder == "docs" ? stem : folder + "_" + stem);
}

std::string title_of_data(const std::string& path) {
  if (path == "@concepts") return "Concepts";
  if (path == "@topics") return "By topic";
  if (path == "@classes") return "By name";
  throw std::runtime_error(std::string(kOrder) + ": there is no '" + path +
                           "'; @concepts, @topics and @classes are what can stand there.");
}

}  // namespace

SiteMap::SiteMap(const fs::path& root, bool instructor) : root_(root) {
  read_order(instructor);
  require_complete(instructor);
  if (sections_.empty() || sections_.front().pages.empty()) {
    throw std::runtime_error(std::string(kOrder) + " names no page.");
  }
  sections_.front().pages.front().id = "index";  // the front page, whatever its file is called
}

void SiteMap::read_order(bool instructor) {
  std::istringstream order(read(kOrder));
  bool left_out = false;
  for (std::string line; std::getline(order, line);) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    if (line.front() != ' ') {
      const bool for_instructors = text.starts_with(kInstructor);
      left_out = for_instructors && !instructor;
      if (left_out) continue;
      sections_.push_back(
          {std::string(for_instructors ? trimmed(text.substr(kInstructor.size())) : text), {}});
      continue;
    }
    ordered_.insert(std::string(text));
    if (!left_out) {
      if (sections_.empty()) {
        throw std::runtime_error(std::string(kOrder) +
                                 ": a heading must stand above the first page.");
      }
      sections_.back().pages.push_back(page(std::string(text)));
    }
  }
}

Page SiteMap::page(const std::string& path) const {
  Page page{path, id_of(path), "", ""};
  if (path.front() == '@') {
    page.title = title_of_data(path);
    return page;
  }
  const std::string text = read(path);
  const std::size_t end = text.find('\n');
  if (!text.starts_with("# ") || end == std::string::npos) {
    throw std::runtime_error(path + ": its first line should be its title, as \"# Title\".");
  }
  std::string_view title = std::string_view(text).substr(2, end - 2);
  const std::size_t id = title.find("{#");
  if (id != std::string_view::npos) {
    page.id = title.substr(id + 2, title.find('}', id) - id - 2);
    title = title.substr(0, id);
  }
  page.title = trimmed(title);
  page.markdown = text.substr(end + 1);
  return page;
}

// A page that is in no order would be in no side bar either.
void SiteMap::require_complete(bool instructor) const {
  for (const auto& entry : fs::recursive_directory_iterator(root_ / "docs")) {
    const std::string path = entry.path().lexically_relative(root_).string();
    if (!path.ends_with(".md") || ordered_.count(path) > 0) continue;
    if (path.starts_with("docs/formulas/")) continue;  // parts of the lessons' pages
    if (!instructor && path.starts_with("docs/instructor/")) continue;
    throw std::runtime_error(path + " is not in " + kOrder +
                             ": add a line where a reader should meet it.");
  }
}

const Page* SiteMap::page_of(std::string_view path) const {
  for (const Section& section : sections_) {
    for (const Page& page : section.pages) {
      if (page.path == path) return &page;
    }
  }
  return nullptr;
}

std::string SiteMap::anchor(const std::string& from, std::string_view url) {
  const std::size_t hash = url.find('#');
  const std::string_view file = url.substr(0, hash);
  const std::string_view slug = hash == std::string_view::npos ? "" : url.substr(hash + 1);
  const std::string path =
      file.empty() ? from
                   : (fs::path(from).parent_path() / fs::path(file)).lexically_normal().string();
  if (const Page* page = page_of(path)) {
    return slug.empty() ? page->id : anchor_of(page->id, slug);
  }
  // What only instructors have is nothing to link to elsewhere.
  for (const std::string_view folder : {"docs/instructor", "solutions", "exam"}) {
    if (path == folder || path.starts_with(std::string(folder) + "/")) return "";
  }
  if (!fs::exists(root_ / path)) {
    throw std::runtime_error(from + " links to " + std::string(url) +
                             ", which is not in the repository.");
  }
  if (fs::is_directory(root_ / path)) return "";
  const std::string name = fs::path(path).filename().string();
  const std::string folder = fs::path(path).parent_path().string();
  const Page* lesson = page_of(folder + "/README.md");
  if (lesson != nullptr && lesson->id.starts_with("lesson_") &&
      std::count(std::begin(kShownOnLessonPage), std::end(kShownOnLessonPage), name) > 0) {
    return anchor_of(lesson->id, name_of(name));
  }
  if (path.ends_with(".md")) return "";
  shown_files_.insert(path);
  return file_page_id(path);
}

std::string SiteMap::read(const std::string& path) const { return read_file(root_ / path); }

bool SiteMap::has(const std::string& path) const { return fs::is_regular_file(root_ / path); }

std::string name_of(std::string_view text) {
  std::string name;
  for (const char c : text) name += is_alnum(c) ? c : '_';
  return name;
}

std::string slug_of(std::string_view heading) {
  std::string slug;
  for (const char c : heading) {
    if (is_alnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80) {
      slug += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (c == ' ' || c == '-') {
      slug += '-';
    }
  }
  return slug;
}

std::string anchor_of(std::string_view page_id, std::string_view slug) {
  return std::string(page_id) + "__" + name_of(slug);
}

std::string file_page_id(std::string_view path) { return "file_" + name_of(path); }

}  // namespace andrea::site
