// The finished site: what Doxygen wrote without a warning, looked through page by page.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>

#include "tools/site/html_check.h"

namespace andrea::site {
namespace {

namespace fs = std::filesystem;

const fs::path kSite = SITE;

std::string page(const std::string& name) {
  std::ifstream file(kSite / name, std::ios::binary);
  EXPECT_TRUE(file) << name << " is not in the site";
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool has(const std::string& name, const std::string& text) {
  return page(name).find(text) != std::string::npos;
}

TEST(Site, EveryLinkLeadsSomewhere) {
  const SiteReport report = check_site(kSite);
  for (const std::string& fault : report.faults) ADD_FAILURE() << fault;
  std::cout << report.pages << " pages, " << report.links << " links, " << report.images
            << " images, " << report.bytes / 1000000 << " MB\n";
  EXPECT_GT(report.pages, 300u);
  EXPECT_GT(report.links, 5000u);
  EXPECT_GE(report.images, 40u);
}

TEST(Site, EveryLessonHasItsPage) {
  for (const char* lesson : {"00", "01", "02", "03", "04", "05", "06", "07"}) {
    const std::string name = std::string("lesson_") + lesson + ".html";
    EXPECT_TRUE(has(name, std::string("Hints for ") + lesson + ".1")) << name;
    EXPECT_TRUE(has(name, std::string("Hints for ") + lesson + ".w1")) << name;
    EXPECT_TRUE(has(name, "class=\"drawing\"")) << name;
    EXPECT_TRUE(has(name, "<details><summary>kernel.h</summary>")) << name;
  }
}

TEST(Site, LessonsLeadToTheContractThatTheyImplement) {
  EXPECT_TRUE(has("lesson_03.html", ">kernels/attention.h</a>"));
  EXPECT_TRUE(has("lesson_06.html", ">kernels/block.h</a>"));
  EXPECT_TRUE(has("lesson_06.html", ">kernels/residual.h</a>"));
}

TEST(Site, SideBarIsTheCourse) {
  const std::string menu = page("menudata.js");
  std::size_t at = 0;
  for (const char* entry : {"language_models.html", "gradients.html", "lesson_00.html",
                            "lesson_07.html", "concepts.html", "simulator.html", "modules.html"}) {
    const std::size_t next = menu.find(entry);
    ASSERT_NE(next, std::string::npos) << entry << " is not in the side bar";
    EXPECT_GT(next, at) << entry << " comes too early";
    at = next;
  }
}

TEST(Site, FormulasAreDrawnOffline) {
  EXPECT_TRUE(has("lesson_03.html", "\\["));
  for (const char* file : {"MathJax.js", "config/TeX-AMS_SVG.js", "jax/output/SVG/jax.js",
                           "jax/output/SVG/fonts/TeX/fontdata.js"}) {
    EXPECT_TRUE(fs::is_regular_file(kSite / "mathjax" / file)) << file;
  }
}

TEST(Site, FiguresHaveBothShades) {
  int light = 0, dark = 0;
  for (const auto& entry : fs::directory_iterator(kSite / "figures")) {
    const std::string name = entry.path().filename().string();
    (name.ends_with("_light.svg") ? light : dark) += 1;
    EXPECT_FALSE(has("figures/" + name, "prefers-color-scheme")) << name;
  }
  EXPECT_EQ(light, dark);
  EXPECT_GE(light, 20);
}

TEST(Site, SearchKnowsPagesAndFunctions) {
  std::string all;
  for (const auto& entry : fs::directory_iterator(kSite / "search")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".js")) all += page("search/" + name);
  }
  EXPECT_NE(all.find("attention_forward"), std::string::npos);
  EXPECT_NE(all.find("lesson_03.html"), std::string::npos);
  // What students type, and a place that it leads to.
  const std::pair<std::string, std::string> queries[] = {
      {"attention", "lesson_03.html"},     {"bank_20conflict", "concepts.html#"},
      {"barrier", "glossary.html#"},       {"causal_20mask", "concepts.html#"},
      {"dot_2dproduct", "lesson_02.html"}, {"failure", "reading_failures.html"},
      {"gradients", "gradients.html"},     {"memory", "concepts.html#concept_shared_memory"},
      {"race", "lesson_00.html#"},         {"softmax", "lesson_03.html#"},
      {"ubuntu", "troubleshooting.html#"},
  };
  for (const auto& [key, url] : queries) {
    bool found = false;
    const std::string begin = "  ['" + key + "_";
    for (std::size_t at = all.find(begin); at != std::string::npos; at = all.find(begin, at + 1)) {
      found |= all.substr(at, all.find('\n', at) - at).find("'../" + url) != std::string::npos;
    }
    EXPECT_TRUE(found) << key << " does not lead to " << url;
  }
}

TEST(Site, OnlyTheInstructorsHasSolutions) {
  EXPECT_EQ(fs::exists(kSite / "notes_03.html"), INSTRUCTOR);
  if (!INSTRUCTOR) {
    EXPECT_FALSE(has("lesson_02.html", "SOLUTION("));
  }
}

}  // namespace
}  // namespace andrea::site
