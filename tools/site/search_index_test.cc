#include "tools/site/search_index.h"

#include <gtest/gtest.h>

namespace andrea::site {
namespace {

TEST(SearchIndex, KeysBeginAtEachWord) {
  EXPECT_EQ(search_keys("Shared memory"), (std::vector<std::string>{"shared_20memory", "memory"}));
  EXPECT_EQ(search_keys("The way to &quot;x&quot;"),
            (std::vector<std::string>{"way_20to_20_20x_20", "x_20"}));
  EXPECT_EQ(search_keys("02 Dot-product"),
            (std::vector<std::string>{"02_20dot_2dproduct", "dot_2dproduct", "product"}));
}

TEST(SearchIndex, PlacesAreTitleHeadingsAndConcepts) {
  const Page page{"lessons/x/README.md", "lesson_09", "09 More & more", ""};
  const auto places =
      search_places(page,
                    "<p ><a class=\"anchor\" id=\"md_made\"></a> Text</p>"
                    "<h1><a class=\"anchor\" id=\"lesson_09__race\"></a>\nA race</h1>"
                    "<td><a class=\"anchor\" id=\"c\"></a>atomic</td>"
                    "<li>\n<b>bold</b> text</li>");
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[0].text, "09 More &amp; more");
  EXPECT_EQ(places[0].url, "lesson_09.html");
  EXPECT_EQ(places[1].text, "A race");
  EXPECT_EQ(places[1].url, "lesson_09.html#lesson_09__race");
  EXPECT_EQ(places[2].text, "atomic");
}

TEST(SearchIndex, TermsOfTheGlossaryAreBelowTheirLetter) {
  const Page page{"docs/glossary.md", "glossary", "Glossary", ""};
  const auto places = search_places(
      page, "<h1><a class=\"anchor\" id=\"glossary__l\"></a>\nL</h1><ul>\n<li>\n<b>logits</b> (");
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[1].text, "logits");
  EXPECT_EQ(places[1].url, "glossary.html#glossary__l");
}

}  // namespace
}  // namespace andrea::site
