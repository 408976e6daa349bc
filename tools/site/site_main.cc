// What the Doxygen site is made with:
//
//   site pages --out DIR [--instructor]    the pages, the layout and the figures, for Doxygen
//   site filter FILE                       a source as Doxygen is to read it
//   site search --site DIR [--instructor]  adds to the finished site's search what pages have
//
// It works in the folder that it is started in: the repository, or a copy of it.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/course/course.h"
#include "tools/site/concept_index.h"
#include "tools/site/doc_comments.h"
#include "tools/site/figures.h"
#include "tools/site/layout.h"
#include "tools/site/lesson_page.h"
#include "tools/site/markdown.h"
#include "tools/site/search_index.h"
#include "tools/site/site_map.h"
#include "trainer/base/file.h"

namespace andrea::site {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path.string() + " cannot be written.");
}

class Pages {
 public:
  Pages(const fs::path& out, bool instructor)
      : out_(out),
        site_(".", instructor),
        course_(course::read_course(site_.read("lessons/course.json"))) {}

  void write_all() {
    std::vector<const Page*> order;
    for (const Section& section : site_.sections()) {
      for (const Page& page : section.pages) order.push_back(&page);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      write_page(*order[i], i > 0 ? order[i - 1] : nullptr,
                 i + 1 < order.size() ? order[i + 1] : nullptr);
    }
    for (const std::string& path : site_.shown_files()) write_file_page(path);
    write(out_ / "layout.xml", layout_of(site_));
  }

 private:
  void write_page(const Page& page, const Page* before, const Page* after) {
    if (page.is_doxygens()) return;
    std::string text;
    try {
      text = page.path == "@concepts" ? concept_index(course_, site_) : text_of(page);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(page.path + ": " + error.what());
    }
    const bool has_sections = text.find("@section") != std::string::npos;
    write_markdown(
        page.id, page.title,
        (has_sections ? "@tableofcontents{HTML:2}\n\n" : "") + text + turns(before, after));
  }

  void write_markdown(const std::string& id, const std::string& title, const std::string& text) {
    write(out_ / "pages" / (id + ".md"),
          "# " + escaped_text(title) + (id == "index" ? "" : " {#" + id + "}") + "\n\n" + text);
  }

  std::string text_of(const Page& page) {
    std::string markdown = page.markdown;
    for (const course::Lesson& lesson : course_.lessons) {
      if (page.path == lesson.folder() + "/README.md") markdown = lesson_page(site_, lesson, page);
      if (page.path == lesson.solution_folder() + "/NOTES.md") {
        markdown = notes_page(site_, lesson, page);
      }
    }
    return doxygen_page(
        markdown, {page.id, [&](std::string_view url) { return site_.anchor(page.path, url); },
                   [&](std::string_view url, std::string_view alternative) {
                     return figure(page, url, alternative);
                   }});
  }

  // Writes the figure in both shades.
  std::string figure(const Page& page, std::string_view url, std::string_view alternative) {
    const fs::path path = (fs::path(page.path).parent_path() / url).lexically_normal();
    const std::string svg = site_.read(path.string());
    const std::string name = page.id + "_" + path.stem().string();
    try {
      write(out_ / "figures" / (name + "_light.svg"), figure_in(Shade::light, svg));
      write(out_ / "figures" / (name + "_dark.svg"), figure_in(Shade::dark, svg));
      return figure_html(name, width_of(svg), alternative);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(path.string() + ": " + error.what());
    }
  }

  // Where to go from a page: the one before, the one after.
  static std::string turns(const Page* before, const Page* after) {
    const auto is_page = [](const Page* page) { return page != nullptr && !page->is_doxygens(); };
    std::string links;
    if (is_page(before)) {
      links += "<span class=\"before\">@ref " + before->id + " \"" + reference_text(before->title) +
               "\"</span> ";
    }
    if (is_page(after)) {
      links += "<span class=\"after\">@ref " + after->id + " \"" + reference_text(after->title) +
               "\"</span>";
    }
    if (links.empty()) return "";
    return "\n<div class=\"turns\">\n" + links + "\n</div>\n";
  }

  void write_file_page(const std::string& path) {
    write_markdown(file_page_id(path), path, "@include{lineno} " + path + "\n");
  }

  fs::path out_;
  SiteMap site_;
  course::Course course_;
};

int filter(const std::string& file) {
  const fs::path path(file);
  const std::string relative =
      path.is_absolute() ? path.lexically_relative(fs::current_path()).string() : file;
  std::cout << with_doc_comments(relative, read_file(path));
  return 0;
}

int run(int argc, char** argv) {
  CLI::App app("What the Doxygen site is made with.");
  app.require_subcommand(1);
  std::string out, file, finished;
  bool instructor = false;
  CLI::App* pages = app.add_subcommand("pages", "Write pages, layout and figures for Doxygen.");
  pages->add_option("--out", out, "The folder to write into.")->required();
  pages->add_flag("--instructor", instructor, "With the instructor's part.");
  CLI::App* filtered = app.add_subcommand("filter", "Print a source as Doxygen is to read it.");
  filtered->add_option("file", file, "The source.")->required();
  CLI::App* search = app.add_subcommand("search", "Add what pages have to the site's search.");
  search->add_option("--site", finished, "The finished site.")->required();
  search->add_flag("--instructor", instructor, "With the instructor's part.");
  CLI11_PARSE(app, argc, argv);
  if (*filtered) return filter(file);
  if (*search) {
    add_to_search(finished, SiteMap(".", instructor));
    return 0;
  }
  Pages(out, instructor).write_all();
  return 0;
}

}  // namespace
}  // namespace andrea::site

int main(int argc, char** argv) {
  try {
    return andrea::site::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "site: " << error.what() << "\n";
    return 2;
  }
}
