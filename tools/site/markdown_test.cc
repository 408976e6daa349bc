#include "tools/site/markdown.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tools/site/site_map.h"

namespace andrea::site {
namespace {

std::string page(const std::string& markdown) {
  return doxygen_page(
      markdown,
      {"p", [](std::string_view url) { return url == "gone" ? "" : "to_" + name_of(url); },
       [](std::string_view url, std::string_view alternative) {
         return "[" + std::string(url) + "|" + std::string(alternative) + "]";
       }});
}

TEST(Markdown, HeadingsHaveAnchorsAsOnGitHub) {
  EXPECT_EQ(page("## How it works\n\n### How it works\n"),
            "@section p__how_it_works How it works\n\n"
            "@subsection p__how_it_works_1 How it works\n\n");
}

TEST(Markdown, TextIsTextAndCodeIsCode) {
  EXPECT_EQ(page("50% *of* **all** `x[i] * 2`, --check\n"),
            "50\\% <em>of</em> <b>all</b> <code>x\\[i\\] \\* 2</code>, \\--check\n\n");
  EXPECT_EQ(page("`train --use a`, `-`\n"),
            "<code>train <span class=\"flag\">\\--use</span> a</code>, <code>-</code>\n\n");
}

TEST(Markdown, FormulasAndProgramsAndWhatTheySay) {
  EXPECT_EQ(page("$`x^2`$ is\n\n```math\ny\n```\n"), "\\f$x^2\\f$ is\n\n\\f[\ny\n\\f]\n\n");
  EXPECT_EQ(page("    y = x W\n"), "@verbatim\ny = x W\n@endverbatim\n\n");
  EXPECT_EQ(page("    y = x;\n"), "@code{.cpp}\ny = x;\n@endcode\n\n");
  EXPECT_EQ(page("    error: a race\n      | y = x;\n"),
            "@verbatim\nerror: a race\n  | y = x;\n@endverbatim\n\n");
}

TEST(Markdown, LinksAndFigures) {
  EXPECT_EQ(page("[text](a.md#b) [lost](gone) [far](https://a.b/)\n"),
            "@ref to_a_md_b \"text\" lost <a href=\"https://a.b/\">far</a>\n\n");
  EXPECT_EQ(page("![what it shows](x.svg)\n"),
            "@htmlonly[block]\n[x.svg|what it shows]\n@endhtmlonly\n\n");
}

TEST(Markdown, ListsAndTables) {
  EXPECT_EQ(page("1. a\n2. b\n"), "<ol>\n<li>a\n</li>\n<li>b\n</li>\n</ol>\n\n");
  EXPECT_EQ(page("| a | b |\n|---|--:|\n| 1 | 2 |\n"),
            "<table class=\"markdownTable\">\n<tr><th>a</th><th align=\"right\">b</th></tr>\n"
            "<tr><td>1</td><td align=\"right\">2</td></tr>\n</table>\n\n");
}

TEST(Markdown, FoldsAndNoOtherHtml) {
  EXPECT_EQ(page("<details><summary>A</summary>\n\ntext\n\n</details>\n"),
            "@htmlonly[block]\n<details><summary>A</summary>\n@endhtmlonly\n\ntext\n\n"
            "@htmlonly[block]\n</details>\n@endhtmlonly\n\n");
  EXPECT_THROW(page("<div>x</div>\n"), std::runtime_error);
}

}  // namespace
}  // namespace andrea::site
