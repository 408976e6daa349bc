#include "trainer/report/html.h"

#include <gtest/gtest.h>

#include <string>

namespace andrea {
namespace {

using namespace std::string_literals;

TEST(HtmlText, EscapesWhatHtmlWouldTakeForItsOwn) {
  EXPECT_EQ(html_text("</script><b>\"a\" & 'b'"),
            "&lt;/script&gt;&lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;");
  EXPECT_EQ(html_text("&lt;"), "&amp;lt;");
  EXPECT_EQ(html_text(""), "");
}

TEST(HtmlText, KeepsUtf8AndLayout) { EXPECT_EQ(html_text("café\n\tمرحبا 🐈"), "café\n\tمرحبا 🐈"); }

TEST(HtmlText, PicturesControlCharacters) {
  EXPECT_EQ(html_text("\0\x01\r\x1b\x1f\x7f"s), "␀␁␍␛␟␡");
}

TEST(Utf8Start, CutsBetweenCharacters) {
  EXPECT_EQ(utf8_start("abc", 5), "abc");
  EXPECT_EQ(utf8_start("abc", 2), "ab");
  EXPECT_EQ(utf8_start("aéb", 2), "a");
  EXPECT_EQ(utf8_start("aéb", 3), "aé");
  EXPECT_EQ(utf8_start("🐈🐈", 7), "🐈");
  EXPECT_EQ(utf8_start("🐈", 3), "");
  EXPECT_EQ(utf8_start("abc", 0), "");
}

}  // namespace
}  // namespace andrea
