// The site's colours in both shades: text can be told from what it stands on, by the ratio of
// relative luminances that WCAG 2 defines and asks to be 4.5 or more (level AA).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>

namespace andrea::site {
namespace {

using Colours = std::map<std::string, std::string>;

// The colours that the rules of a selector set, as "--name: #rrggbb;".
Colours colours_of(const std::string& selector) {
  std::ifstream file("docs/site/style.css");
  Colours colours;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == selector + " {") inside = true;
    if (line == "}") inside = false;
    const std::size_t colon = line.find(": #");
    if (!inside || line.find("--") != 2 || colon == std::string::npos) continue;
    colours[line.substr(4, colon - 4)] = line.substr(colon + 2, 7);
  }
  return colours;
}

double luminance(const std::string& colour) {
  const double share[] = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double value =
        std::stoi(colour.substr(1 + 2 * static_cast<std::size_t>(i), 2), nullptr, 16) / 255.0;
    sum += share[i] * (value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(const std::string& one, const std::string& other) {
  const auto [low, high] = std::minmax({luminance(one), luminance(other)});
  return (high + 0.05) / (low + 0.05);
}

TEST(Style, ContrastIsAsDefined) {
  EXPECT_NEAR(contrast("#000000", "#ffffff"), 21, 1e-9);
  EXPECT_NEAR(contrast("#777777", "#ffffff"), 4.48, 0.005);
}

class Shade : public ::testing::TestWithParam<const char*> {};

TEST_P(Shade, TextStandsOutFromItsGround) {
  const Colours colours = colours_of(GetParam());
  ASSERT_GE(colours.size(), 22u);
  const auto stands_out = [&](const std::string& text, const std::string& ground) {
    const double ratio = contrast(colours.at(text), colours.at(ground));
    EXPECT_GE(ratio, 4.5) << text << " " << colours.at(text) << " on " << ground << " "
                          << colours.at(ground);
  };
  for (const char* text : {"primary-color", "primary-dark-color", "page-foreground-color",
                           "page-secondary-foreground-color"}) {
    stands_out(text, "page-background-color");
    stands_out(text, "side-nav-background");
  }
  for (const char* ground : {"code-background", "tablehead-background"}) {
    stands_out("page-foreground-color", ground);
    stands_out("primary-color", ground);
  }
  stands_out("blockquote-foreground", "blockquote-background");
  stands_out("fragment-linenumber-color", "fragment-linenumber-background");
  for (const char* text : {"foreground", "keyword", "keywordtype", "keywordflow", "token",
                           "comment", "link", "preprocessor"}) {
    stands_out(std::string("fragment-") + text, "fragment-background");
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Shade, ::testing::Values("html", "html.dark-mode"),
                         [](const auto& shade) {
                           return std::string(shade.param) == "html" ? "Light" : "Dark";
                         });

}  // namespace
}  // namespace andrea::site
