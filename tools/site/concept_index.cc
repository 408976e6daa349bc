#include "tools/site/concept_index.h"

#include <cctype>
#include <map>
#include <vector>

#include "tools/site/markdown.h"

namespace andrea::site {
namespace {

struct Uses {
  const course::Exercise* introduced = nullptr;
  std::vector<const course::Exercise*> needed;
};

std::string exercise_link(const course::Course& course, const SiteMap& site,
                          const course::Exercise& exercise) {
  const Page* page = site.page_of(course.lesson_of(exercise.id).folder() + "/README.md");
  if (page == nullptr) return exercise.id;
  const std::string anchor = exercise.file == "worksheet.h" ? anchor_of(page->id, "worksheet_h")
                             : exercise.file == "answers.md"
                                 ? anchor_of(page->id, "answers_md")
                                 : anchor_of(page->id, slug_of(exercise.title));
  return "@ref " + anchor + " \"" + exercise.id + "\"";
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string concept_index(const course::Course& course, const SiteMap& site) {
  std::map<std::string, std::pair<std::string, Uses>> uses;  // by the name in small letters
  for (const course::Lesson& lesson : course.lessons) {
    for (const course::Exercise& exercise : lesson.exercises) {
      for (const std::string& each : exercise.introduces) {
        uses[lower(each)].first = each;
        uses[lower(each)].second.introduced = &exercise;
      }
      for (const std::string& each : exercise.needs) {
        uses[lower(each)].first = each;
        uses[lower(each)].second.needed.push_back(&exercise);
      }
    }
  }
  std::string text =
      "Each concept is introduced by one exercise, and used by no exercise before it. The list is "
      "made of <code>lessons/course.json</code>, which a test watches over.\n\n"
      "<table class=\"markdownTable\">\n"
      "<tr><th>concept</th><th>introduced by</th><th>needed by</th></tr>\n";
  for (const auto& [key, named] : uses) {
    const auto& [name, use] = named;
    text += "<tr><td>@anchor concept_" + name_of(name) + " " + escaped_text(name) + "</td><td>";
    if (use.introduced != nullptr) {
      text +=
          exercise_link(course, site, *use.introduced) + " " + escaped_text(use.introduced->title);
    }
    text += "</td><td>";
    for (std::size_t i = 0; i < use.needed.size(); ++i) {
      text += (i > 0 ? ", " : "") + exercise_link(course, site, *use.needed[i]);
    }
    text += "</td></tr>\n";
  }
  return text + "</table>\n";
}

std::string concept_link(const std::string& concept_name) {
  return "<a href=\"concepts.html#concept_" + name_of(concept_name) + "\">" +
         escaped_html(concept_name) + "</a>";
}

}  // namespace andrea::site
