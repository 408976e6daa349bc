#include "tools/site/lesson_page.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "tools/site/concept_index.h"
#include "tools/site/doc_comments.h"

namespace andrea::site {
namespace {

// Headers that every kernel uses and that are no operation of the contract.
constexpr std::string_view kNoOperation[] = {
    "cuda_check.h",   "device_buffer.h",    "launch.h",       "launch_size.h",
    "model_config.h", "parameter_layout.h", "step_scalars.h", "origins.h"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Of "### Title" 3, of any other line 0.
std::size_t heading_level(const std::string& line) {
  const std::size_t level = line.find_first_not_of('#');
  return level != std::string::npos && level > 0 && line[level] == ' ' ? level : 0;
}

std::string folded(const std::string& summary, const std::string& content) {
  return "<details><summary>" + summary + "</summary>\n\n" + content + "\n\n</details>\n\n";
}

std::string commands(const std::string& text) { return "```doxygen\n" + text + "\n```\n\n"; }

// The four stages of a hint, as hints.md has them: a list whose second to fourth item are folded.
// On the page their names are enough, so the numbers go.
std::string without_numbers(const std::vector<std::string>& lines) {
  std::string result;
  for (const std::string& line : lines) {
    const bool numbered = line.size() > 3 && std::isdigit(static_cast<unsigned char>(line[0])) &&
                          line.compare(1, 2, ". ") == 0;
    result += (numbered || line.starts_with("   ") ? line.substr(3) : line) + "\n";
  }
  return result;
}

// What hints.md says, by exercise: "02.1" has the lines below "## 02.1 Title".
std::map<std::string, std::string> hints_of(const std::string& text) {
  std::map<std::string, std::vector<std::string>> lines;
  std::string id;
  for (const std::string& line : lines_of(text)) {
    if (heading_level(line) == 2) {
      id = line.substr(3, line.find(' ', 3) - 3);
    } else if (!id.empty()) {
      lines[id].push_back(line);
    }
  }
  std::map<std::string, std::string> hints;
  for (const auto& [key, value] : lines) hints[key] = without_numbers(value);
  return hints;
}

// "02.1, core, about 15 minutes, 2 points. New: kernel, launch."
std::string facts_of(const course::Exercise& exercise) {
  std::string text = "@htmlonly[block]\n<p class=\"facts\"><b>" + exercise.id + "</b> " +
                     (exercise.core ? "core" : "further") + ", in <code>" + exercise.file +
                     "</code>, about " + std::to_string(exercise.minutes) + " minutes, " +
                     std::to_string(exercise.points) +
                     (exercise.points == 1 ? " point" : " points");
  if (!exercise.introduces.empty()) {
    text += "; introduces ";
    for (std::size_t i = 0; i < exercise.introduces.size(); ++i) {
      text += (i > 0 ? ", " : "") + concept_link(exercise.introduces[i]);
    }
  }
  return commands(text + "</p>\n@endhtmlonly");
}

// The lesson's page while its README is copied line by line.
class Copier {
 public:
  Copier(const SiteMap& site, const course::Lesson& lesson)
      : site_(site), lesson_(lesson), hints_(hints_of(site.read(lesson.folder() + "/hints.md"))) {}

  std::string copy(const std::string& readme) {
    bool in_code = false;
    for (const std::string& line : lines_of(readme)) {
      if (line.starts_with("```")) in_code = !in_code;
      const std::size_t level = in_code ? 0 : heading_level(line);
      if (level > 0 && level <= 3) end_exercise();
      if (level > 0 && level <= 2) end_formula();
      text_ += line + "\n";
      if (level == 3) begin_exercise(line.substr(4));
      if (line == "## Formula") in_formula_ = true;
    }
    end_exercise();
    for (const course::Exercise& exercise : lesson_.exercises) {
      if (exercise.file.ends_with(".cu") && seen_.count(exercise.id) == 0) {
        throw std::runtime_error(lesson_.folder() + "/README.md has no heading \"### " +
                                 exercise.title + "\", which is " + exercise.id + ".");
      }
    }
    return text_;
  }

  std::string questions() const {
    std::string text;
    for (const course::Exercise& exercise : lesson_.exercises) {
      if (exercise.file != "worksheet.h" || hints_.count(exercise.id) == 0) continue;
      text += folded("Hints for " + exercise.id + ", " + exercise.title, hints_.at(exercise.id));
    }
    return text;
  }

 private:
  void begin_exercise(const std::string& title) {
    for (const course::Exercise& exercise : lesson_.exercises) {
      if (exercise.title != title || !exercise.file.ends_with(".cu")) continue;
      exercise_ = exercise.id;
      seen_[exercise.id] = true;
      text_ += "\n" + facts_of(exercise);
    }
  }

  void end_exercise() {
    if (!exercise_.empty() && hints_.count(exercise_) > 0) {
      text_ +=
          "\n" + folded("Hints for " + exercise_ + ", one after the other", hints_.at(exercise_));
    }
    exercise_.clear();
  }

  // The README's formulas are as code has them. docs/formulas has them as papers do.
  void end_formula() {
    const std::string path = "docs/formulas/" + lesson_.number + "_" + lesson_.name + ".md";
    if (in_formula_ && site_.has(path)) {
      text_ += "\n**The same as papers print it.** " + site_.read(path) + "\n";
    }
    in_formula_ = false;
  }

  const SiteMap& site_;
  const course::Lesson& lesson_;
  std::map<std::string, std::string> hints_;
  std::map<std::string, bool> seen_;
  std::string exercise_;  // the one whose section is being copied
  bool in_formula_ = false;
  std::string text_;
};

// A section with a file of the repository in it, folded.
std::string shown(const SiteMap& site, const Page& page, const std::string& path,
                  const std::string& title, const std::string& more = "") {
  if (!site.has(path)) return "";
  const std::string name = path.substr(path.rfind('/') + 1);
  return commands("@subsection " + anchor_of(page.id, name_of(name)) + " " + title) +
         folded(name, commands("@include " + path) + more);
}

// The headers of the contract that a lesson's kernels and their header include.
std::string contract_of(const std::string& sources) {
  std::set<std::string> names;
  for (const std::string& line : lines_of(sources)) {
    const std::string_view begin = "#include \"kernels/";
    if (!line.starts_with(begin)) continue;
    const std::string name = line.substr(begin.size(), line.rfind('"') - begin.size());
    if (name.find('/') != std::string::npos) continue;  // composed/ is no part of the contract
    if (std::count(std::begin(kNoOperation), std::end(kNoOperation), name) > 0) continue;
    names.insert(name);
  }
  std::string text;
  for (const std::string& name : names) {
    text += "- @ref " + topic_of("kernels/" + name) + " \"kernels/" + name + "\"\n";
  }
  return text;
}

// answers.md below its title, without headings, which would be the page's own.
std::string answers_of(const std::string& text) {
  std::string result;
  for (const std::string& line : lines_of(text)) {
    const std::size_t level = heading_level(line);
    if (level == 1) continue;
    result += (level > 0 ? "**" + line.substr(level + 1) + "**" : line) + "\n";
  }
  return result;
}

}  // namespace

std::string lesson_page(const SiteMap& site, const course::Lesson& lesson, const Page& page) {
  const std::string folder = lesson.folder() + "/";
  Copier copier(site, lesson);
  std::string text = copier.copy(page.markdown);
  text += "\n## Beside the lesson\n\n";
  const std::string contract =
      contract_of(site.read(folder + "kernel.h") + site.read(folder + "kernel.cu"));
  if (!contract.empty()) {
    text += "The headers of the contract that these kernels implement, or call:\n\n" +
            commands(contract);
  }
  text += shown(site, page, folder + "kernel.h", "What you write");
  text += shown(site, page, folder + "further.h", "What the further exercises write");
  text += shown(site, page, folder + "reference.h", "The reference");
  text += shown(site, page, folder + "worksheet.h", "The worksheet", copier.questions());
  if (site.has(folder + "answers.md")) {
    text += commands("@subsection " + anchor_of(page.id, "answers_md") + " Answers in words") +
            folded("answers.md", answers_of(site.read(folder + "answers.md")));
  }
  text +=
      commands("@subsection " + anchor_of(page.id, "hints_md") + " Hints") +
      "Each exercise above has its hints folded at its end, each question of the worksheet below "
      "the worksheet. They are those of `hints.md`.\n";
  return text;
}

std::string notes_page(const SiteMap& site, const course::Lesson& lesson, const Page& page) {
  const std::string folder = lesson.solution_folder() + "/";
  return page.markdown + "\n## The solution\n\n" +
         shown(site, page, folder + "kernel.cu", "The kernels") +
         shown(site, page, folder + "further.cu", "The further exercises") +
         shown(site, page, folder + "worksheet.h", "The key of the worksheet");
}

}  // namespace andrea::site
