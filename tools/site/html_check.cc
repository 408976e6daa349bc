#include "tools/site/html_check.h"

#include <cctype>
#include <set>

#include "trainer/base/file.h"

namespace andrea::site {
namespace {

namespace fs = std::filesystem;

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string lower(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

std::string without_entities(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i).starts_with("&amp;")) {
      result += '&';
      i += 5;
    } else if (text.substr(i).starts_with("&#39;")) {
      result += '\'';
      i += 5;
    } else {
      result += text[i++];
    }
  }
  return result;
}

// "a%20b" is "a b".
std::string without_escapes(std::string_view url) {
  std::string result;
  for (std::size_t i = 0; i < url.size(); ++i) {
    if (url[i] == '%' && i + 2 < url.size()) {
      result += static_cast<char>(std::stoi(std::string(url.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      result += url[i];
    }
  }
  return result;
}

// Reads the tag whose `<` is at `at`, and moves `at` behind it.
Tag tag_at(std::string_view html, std::size_t& at) {
  Tag tag;
  const auto word_until = [&](std::string_view ends) {
    const std::size_t begin = at;
    while (at < html.size() && !is_space(html[at]) && ends.find(html[at]) == std::string::npos)
      ++at;
    return lower(html.substr(begin, at - begin));
  };
  ++at;
  tag.name = word_until(">/");
  while (at < html.size() && html[at] != '>') {
    if (is_space(html[at]) || html[at] == '/') {
      ++at;
      continue;
    }
    const std::string name = word_until("=>");
    std::string value;
    if (at < html.size() && html[at] == '=') {
      ++at;
      if (at < html.size() && (html[at] == '"' || html[at] == '\'')) {
        const std::size_t end = std::min(html.find(html[at], at + 1), html.size());
        value = html.substr(at + 1, end - at - 1);
        at = end + 1;
      } else {
        const std::size_t begin = at;
        while (at < html.size() && !is_space(html[at]) && html[at] != '>') ++at;
        value = html.substr(begin, at - begin);
      }
    }
    if (!name.empty()) tag.attributes[name] = without_entities(value);
    if (name.empty()) ++at;
  }
  ++at;
  return tag;
}

struct HtmlPage {
  std::vector<Tag> tags;
  std::set<std::string> anchors;
};

class Check {
 public:
  explicit Check(const fs::path& folder) : folder_(folder) {}

  SiteReport report() {
    read();
    for (const auto& [path, page] : pages_) look_at(path, page);
    report_.pages = pages_.size();
    return std::move(report_);
  }

 private:
  void read() {
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (!entry.is_regular_file()) continue;
      report_.bytes += entry.file_size();
      const std::string path = entry.path().lexically_relative(folder_).string();
      if (path.ends_with(".html") && !path.starts_with("mathjax/")) pages_[path] = page(path);
    }
  }

  HtmlPage page(const std::string& path) {
    HtmlPage page{tags_of(read_file(folder_ / path)), {}};
    for (const Tag& tag : page.tags) {
      const auto id = tag.attributes.find("id");
      if (id != tag.attributes.end() && !page.anchors.insert(id->second).second) {
        fault(path, "has two elements with the id \"" + id->second + "\"");
      }
    }
    for (const Tag& tag : page.tags) {
      const auto name = tag.attributes.find("name");
      if (tag.name == "a" && name != tag.attributes.end()) page.anchors.insert(name->second);
    }
    return page;
  }

  void look_at(const std::string& path, const HtmlPage& page) {
    bool titled = false;
    for (const Tag& tag : page.tags) {
      titled = titled || tag.name == "title";
      // What the search shows in a frame is no page of its own.
      if (tag.name == "html" && tag.attributes.count("lang") == 0 && !path.starts_with("search/")) {
        fault(path, "has no language");
      }
      if (tag.name == "img") {
        ++report_.images;
        if (tag.attributes.count("alt") == 0) {
          fault(path, "has an image without an alternative text: " + value_of(tag, "src"));
        }
      }
      const bool is_link = tag.name == "a" || tag.name == "area";
      if (is_link) {
        follow(path, value_of(tag, "href"));
      } else {
        load(path, tag, value_of(tag, tag.name == "link" ? "href" : "src"));
      }
    }
    if (!titled) fault(path, "has no title");
  }

  static std::string value_of(const Tag& tag, const std::string& name) {
    const auto found = tag.attributes.find(name);
    return found == tag.attributes.end() ? "" : found->second;
  }

  // A link that the reader may follow; elsewhere it may lead anywhere.
  void follow(const std::string& path, const std::string& url) {
    if (url.empty() || is_elsewhere(url) || url.starts_with("mailto:") ||
        url.starts_with("javascript:")) {
      return;
    }
    ++report_.links;
    lead(path, url);
  }

  // What the browser loads by itself.
  void load(const std::string& path, const Tag& tag, const std::string& url) {
    if (url.empty() || url.starts_with("data:") || url.starts_with("javascript:")) return;
    if (is_elsewhere(url)) {
      fault(path, "loads a <" + tag.name + "> from the network: " + url);
    } else {
      lead(path, url);
    }
  }

  void lead(const std::string& path, const std::string& url) {
    const std::size_t hash = url.find('#');
    const std::string file = without_escapes(url.substr(0, std::min(hash, url.find('?'))));
    const std::string target =
        file.empty() ? path : (fs::path(path).parent_path() / file).lexically_normal().string();
    const auto page = pages_.find(target);
    if (page == pages_.end()) {
      if (!fs::exists(folder_ / target)) fault(path, "leads to " + url + ", which is not there");
      return;
    }
    if (hash == std::string::npos || hash + 1 == url.size()) return;
    const std::string anchor = without_escapes(url.substr(hash + 1));
    if (page->second.anchors.count(anchor) == 0) {
      fault(path, "leads to " + url + ": that page has no such place");
    }
  }

  static bool is_elsewhere(const std::string& url) {
    return url.starts_with("http:") || url.starts_with("https:") || url.starts_with("//");
  }

  void fault(const std::string& path, const std::string& what) {
    report_.faults.push_back(path + " " + what + ".");
  }

  fs::path folder_;
  std::map<std::string, HtmlPage> pages_;
  SiteReport report_;
};

}  // namespace

std::vector<Tag> tags_of(std::string_view html) {
  std::vector<Tag> tags;
  for (std::size_t at = html.find('<'); at < html.size(); at = html.find('<', at)) {
    if (html.substr(at).starts_with("<!--")) {
      at = std::min(html.find("-->", at), html.size());
    } else if (at + 1 < html.size() &&
               std::isalpha(static_cast<unsigned char>(html[at + 1])) != 0) {
      tags.push_back(tag_at(html, at));
      const std::string& name = tags.back().name;
      if (name == "script" || name == "style")
        at = std::min(html.find("</" + name, at), html.size());
    } else {
      ++at;
    }
  }
  return tags;
}

SiteReport check_site(const fs::path& folder) { return Check(folder).report(); }

}  // namespace andrea::site
