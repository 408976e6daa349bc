#include "tools/site/html_check.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace andrea::site {
namespace {

namespace fs = std::filesystem;

class HtmlCheck : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void page(const std::string& name, const std::string& body) {
    std::ofstream(folder_ / name)
        << "<!DOCTYPE html><html lang=\"en\"><head><title>t</title></head>"
        << "<body>" << body << "</body></html>";
  }

  std::string fault() {
    const SiteReport report = check_site(folder_);
    EXPECT_EQ(report.faults.size(), 1u);
    return report.faults.empty() ? "" : report.faults.front();
  }

  fs::path folder_;
};

TEST_F(HtmlCheck, GoodSite) {
  page("a.html", "<h1 id=\"x\">A</h1><a href=\"b.html#y\">b</a> <a href='https://e.org/'>e</a>");
  page("b.html", "<a id=\"y\"></a><a href=\"#y\">here</a><script>if (a < b) \"<img>\";</script>");
  const SiteReport report = check_site(folder_);
  EXPECT_TRUE(report.faults.empty()) << report.faults.front();
  EXPECT_EQ(report.pages, 2u);
  EXPECT_EQ(report.links, 2u);
}

TEST_F(HtmlCheck, LinkToNowhere) {
  page("a.html", "<a href=\"c.html\">c</a>");
  EXPECT_EQ(fault(), "a.html leads to c.html, which is not there.");
}

TEST_F(HtmlCheck, LinkToNoAnchor) {
  page("a.html", "<a href=\"#q\">q</a>");
  EXPECT_EQ(fault(), "a.html leads to #q: that page has no such place.");
}

TEST_F(HtmlCheck, ImageWithoutText) {
  page("a.html", "<img src=\"x.png\">");
  std::ofstream(folder_ / "x.png") << "x";
  EXPECT_EQ(fault(), "a.html has an image without an alternative text: x.png.");
}

TEST_F(HtmlCheck, WhatIsLoadedFromElsewhere) {
  page("a.html", "<script src=\"https://e.org/x.js\"></script>");
  EXPECT_EQ(fault(), "a.html loads a <script> from the network: https://e.org/x.js.");
}

TEST_F(HtmlCheck, AnchorTwice) {
  page("a.html", "<p id=\"x\"></p><p id=\"x\"></p>");
  EXPECT_EQ(fault(), "a.html has two elements with the id \"x\".");
}

}  // namespace
}  // namespace andrea::site
