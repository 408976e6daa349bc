// File: figures.h
//
// Figures are SVG files that follow the reader's system: a media query in their style has the
// colours of a dark page. A page's own switch between light and dark does not reach into an image,
// so the site has each figure twice, and shows the one that fits.

#ifndef ANDREA_TOOLS_SITE_FIGURES_H_
#define ANDREA_TOOLS_SITE_FIGURES_H_

#include <string>
#include <string_view>

namespace andrea::site {

enum class Shade { light, dark };

// The figure as it looks on a light page, or on a dark one, whatever the system says. Throws
// std::runtime_error for a figure without the media query.
std::string figure_in(Shade shade, std::string_view svg);

// The width of the drawing, the third number of its viewBox. Throws std::runtime_error if there is
// none.
int width_of(std::string_view svg);

// The two images of a figure. `name` is the file's name without the ending.
std::string figure_html(const std::string& name, int width, std::string_view alternative);

}  // namespace andrea::site

#endif  // ANDREA_TOOLS_SITE_FIGURES_H_
