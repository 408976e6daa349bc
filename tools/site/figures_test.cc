#include "tools/site/figures.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace andrea::site {
namespace {

const char kFigure[] =
    "<svg viewBox=\"0 0 720 300\"><style>a { x } "
    "@media (prefers-color-scheme: dark) { a { y } } b { z }</style></svg>";

TEST(Figures, OneShadeEach) {
  EXPECT_EQ(figure_in(Shade::light, kFigure),
            "<svg viewBox=\"0 0 720 300\"><style>a { x }  b { z }</style></svg>");
  EXPECT_EQ(figure_in(Shade::dark, kFigure),
            "<svg viewBox=\"0 0 720 300\"><style>a { x }  a { y }  b { z }</style></svg>");
}

TEST(Figures, WithoutDarkColoursIsRefused) {
  EXPECT_THROW(figure_in(Shade::light, "<svg/>"), std::runtime_error);
}

TEST(Figures, WidthAndText) {
  EXPECT_EQ(width_of(kFigure), 720);
  EXPECT_THROW(width_of("<svg/>"), std::runtime_error);
  EXPECT_NE(figure_html("a", 5, "x < y").find("alt=\"x &lt; y\""), std::string::npos);
}

}  // namespace
}  // namespace andrea::site
