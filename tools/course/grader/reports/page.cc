#include "tools/course/grader/reports/page.h"

#include "tools/course/grader/reports/safe_text.h"
#include "tools/course/grader/reports/sections.h"
#include "trainer/report/html.h"

namespace andrea::grader {
namespace {

constexpr const char* kStyle =
#include "tools/course/grader/reports/page.css.inc"
    ;

}  // namespace

std::string shown(const std::string& text) { return html_text(utf8(text)); }

std::string anchor_of(const Student& student) { return "student-" + student.id; }

std::string class_page(const Class& whole, const PageParts& parts) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      // Whatever a student's text may hold, nothing runs and nothing is fetched.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\">\n"
      "<title>Class report</title>\n<style>";
  page += kStyle;
  page += "</style>\n</head>\n<body>\n";
  page += summary_section(whole, parts);
  page += marks_section(whole, parts);
  page += mistakes_section(whole, parts);
  page += answers_section(whole, parts);
  page += likeness_section(whole, parts);
  page += students_section(whole, parts);
  return page + "</body>\n</html>\n";
}

}  // namespace andrea::grader
