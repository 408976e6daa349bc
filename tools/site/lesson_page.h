// File: lesson_page.h
//
// A lesson's page: its README, in which each exercise has its hints folded under it, and at the
// end, folded too, the lesson's other files: what is to be written, the reference, the worksheet.

#ifndef ANDREA_TOOLS_SITE_LESSON_PAGE_H_
#define ANDREA_TOOLS_SITE_LESSON_PAGE_H_

#include <string>

#include "tools/course/course.h"
#include "tools/site/site_map.h"

namespace andrea::site {

// The Markdown of the page.
std::string lesson_page(const SiteMap& site, const course::Lesson& lesson, const Page& page);

// The Markdown of the notes on a lesson, with the completed files folded at the end.
std::string notes_page(const SiteMap& site, const course::Lesson& lesson, const Page& page);

}  // namespace andrea::site

#endif  // ANDREA_TOOLS_SITE_LESSON_PAGE_H_
