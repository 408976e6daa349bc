#include "tools/site/search_index.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "tools/site/markdown.h"
#include "trainer/base/file.h"

namespace andrea::site {
namespace {

namespace fs = std::filesystem;

// Nobody looks for a heading by these.
constexpr std::string_view kLittleWords[] = {
    "a",   "an", "and", "as", "at",  "by", "for", "from", "in",   "is",   "it",
    "its", "of", "on",  "or", "the", "to", "two", "was",  "what", "with", "your"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// HTML as a line of text, in small letters, an entity being a space.
std::string plain(std::string_view html) {
  std::string text;
  for (std::size_t i = 0; i < html.size(); ++i) {
    const std::size_t end = html[i] == '&' ? html.find(';', i) : std::string_view::npos;
    if (end != std::string_view::npos) i = end;
    const char c = end != std::string_view::npos ? ' ' : html[i];
    text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \n") - first + 1);
}

// What stands between `begin`, which ends at `at`, and the next tag.
std::string_view text_at(std::string_view html, std::size_t at) {
  return trimmed(html.substr(at, html.find('<', at) - at));
}

// The letters that Doxygen's search has a file for, in the order of the files.
std::string letters_of(const fs::path& search) {
  const std::string data = read_file(search / "searchdata.js");
  const std::size_t begin = data.find("0: \"");
  if (begin == std::string::npos) {
    throw std::runtime_error("search/searchdata.js: no list of first letters is in it.");
  }
  return data.substr(begin + 4, data.find('"', begin + 4) - begin - 4);
}

}  // namespace

std::vector<SearchPlace> search_places(const Page& page, std::string_view html) {
  constexpr std::string_view kAnchor = "<a class=\"anchor\" id=\"", kTerm = "<li>\n<b>";
  const std::string file = page.id + ".html";
  std::vector<SearchPlace> places = {{escaped_html(page.title), file}};
  std::string last = file;
  for (std::size_t at = 0; at < html.size(); ++at) {
    if (html.substr(at).starts_with(kAnchor)) {
      at += kAnchor.size();
      const std::string id(html.substr(at, html.find('"', at) - at));
      at = html.find("</a>", at) + 4;
      if (id.starts_with("md_")) continue;  // of the page, not of a place in it
      last = file + "#" + id;
      const std::string_view text = text_at(html, at);
      if (text.size() > 1) places.push_back({std::string(text), last});
      --at;
    } else if (page.id == "glossary" && html.substr(at).starts_with(kTerm)) {
      at += kTerm.size();
      places.push_back({std::string(text_at(html, at)), last});
    }
  }
  return places;
}

std::vector<std::string> search_keys(std::string_view text) {
  const std::string line = plain(text);
  std::vector<std::string> keys;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (!is_word(line[at]) || (at > 0 && is_word(line[at - 1]))) continue;
    const auto end = std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(at), line.end(),
                                      [](char c) { return is_word(c); });
    const std::string word(line.begin() + static_cast<std::ptrdiff_t>(at), end);
    if (std::count(std::begin(kLittleWords), std::end(kLittleWords), word) > 0) continue;
    std::string key;
    for (const char c : std::string_view(line).substr(at)) {
      char number[4];
      std::snprintf(number, sizeof number, "_%02x", static_cast<unsigned char>(c));
      key += is_word(c) ? std::string(1, c) : number;
    }
    keys.push_back(key);
  }
  return keys;
}

void add_to_search(const fs::path& site, const SiteMap& map) {
  const fs::path search = site / "search";
  const std::string letters = letters_of(search);
  std::map<std::size_t, std::string> entries;  // by the number of the letter
  int count = 0;
  for (const Section& section : map.sections()) {
    for (const Page& page : section.pages) {
      if (page.is_doxygens()) continue;
      const std::string title = escaped_html(page.title);
      for (const SearchPlace& place : search_places(page, read_file(site / (page.id + ".html")))) {
        for (const std::string& key : search_keys(place.text)) {
          const std::size_t letter = letters.find(key.front());
          if (letter == std::string::npos) continue;
          std::string& text = entries[letter];
          const std::string scope = place.text == title ? "" : title;
          // Every name is Doxygen's key and a number that no other has.
          text += "  ['" + key + "_p" + std::to_string(count++) + "',['";
          for (const char c : place.text) text += c == '\'' ? "&#39;" : std::string(1, c);
          text += "',['../" + place.url + "',1,'";
          for (const char c : scope) text += c == '\'' ? "&#39;" : std::string(1, c);
          text += "']]],\n";
        }
      }
    }
  }
  for (const auto& [letter, text] : entries) {
    char number[8];
    std::snprintf(number, sizeof number, "%zx", letter);
    const fs::path path = search / (std::string("all_") + number + ".js");
    std::string data = read_file(path);
    const std::size_t begin = data.find("[\n");
    if (begin == std::string::npos) throw std::runtime_error(path.string() + ": it has no list.");
    data.insert(begin + 2, text);
    std::ofstream file(path, std::ios::binary);
    file << data;
    file.close();
    if (!file) throw std::runtime_error(path.string() + " cannot be written.");
  }
}

}  // namespace andrea::site
