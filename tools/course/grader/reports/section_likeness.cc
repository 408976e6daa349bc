#include <sstream>

#include "tools/course/grader/reports/sections.h"

namespace andrea::grader {
namespace {

constexpr std::size_t kMostPairs = 60;  // of one file
constexpr std::size_t kMostFragments = 3;
constexpr int kMostLines = 24;

std::string lines_of(const std::string& text, int first, int last) {
  std::istringstream stream(text);
  std::string lines, line;
  for (int number = 1; std::getline(stream, line) && number <= last; ++number) {
    if (number < first) continue;
    if (number >= first + kMostLines) return lines + "...\n";
    lines += std::to_string(number) + "  " + line + "\n";
  }
  return lines;
}

std::string percent(double share) {
  return std::to_string(static_cast<int>(100 * share + 0.5)) + " %";
}

std::string pair_part(const LikeFiles& files, const Likeness& pair) {
  const Work& first = files.works[pair.first];
  const Work& second = files.works[pair.second];
  std::string html = "<details class=\"pair\"><summary><span class=\"count\">" +
                     percent(pair.share) + "</span><span>" + shown(first.who) + " and " +
                     shown(second.who) + " <small>" + percent(pair.same_names) +
                     " to the letter, " + std::to_string(pair.tokens) +
                     " tokens</small></span></summary>\n";
  for (std::size_t i = 0; i < pair.fragments.size() && i < kMostFragments; ++i) {
    const Fragment& one = pair.fragments[i];
    html += "<div class=\"sides\"><pre>" +
            shown(lines_of(first.text, one.first_line, one.last_line)) + "</pre><pre>" +
            shown(lines_of(second.text, one.other_first_line, one.other_last_line)) +
            "</pre></div>\n";
  }
  return html + "</details>\n";
}

}  // namespace

std::string likeness_section(const Class&, const PageParts& parts) {
  if (parts.alike.empty()) return "";
  std::string html, quiet;
  for (const LikeFiles& files : parts.alike) {
    if (files.pairs.empty()) {
      quiet += (quiet.empty() ? "" : ", ") + files.path;
      continue;
    }
    html += "<h3>" + shown(files.path) + "</h3>\n";
    std::string ids;
    for (const std::string& id : files.too_short) ids += (ids.empty() ? "" : ", ") + id;
    if (!ids.empty()) {
      html += "<p class=\"note\">Too short to tell anything by themselves: " + ids + ".</p>\n";
    }
    for (std::size_t i = 0; i < files.pairs.size() && i < kMostPairs; ++i) {
      html += pair_part(files, files.pairs[i]);
    }
    if (files.pairs.size() > kMostPairs) {
      html += "<p>... and " + std::to_string(files.pairs.size() - kMostPairs) + " more.</p>\n";
    }
  }
  if (!quiet.empty()) html += "<p class=\"note\">Nothing stands out in " + shown(quiet) + ".</p>\n";
  return "<section>\n<h2>What is alike</h2>\n<p class=\"note\">For you to look at; it is no "
         "verdict. "
         "Compared is what students wrote themselves, without names, numbers, layout and comments, "
         "and once more to the letter. The percentage is the shared part of what the shorter one "
         "wrote; what a tenth of the class has alike does not count.</p>\n" +
         html + "</section>\n";
}

}  // namespace andrea::grader
