#include "tools/course/runner/payoff.h"

#include <filesystem>
#include <string>

#include "trainer/base/file.h"
#include "trainer/base/lines.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrain = "./andrea train ", kFollow = "--follow ";

// The first line of commands in the page that trains and has those words; empty where none has.
std::string training_in(const fs::path& page, const std::string& words) {
  if (!fs::exists(page)) return "";
  for (const std::string& line : lines_of(read_file(page))) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || begin < 4) continue;
    const std::string command = line.substr(begin);
    if (command.starts_with(kTrain) && (command + ' ').find(words) != std::string::npos) {
      return command;
    }
  }
  return "";
}

// "runs/cpu" of "... --follow runs/cpu --use ...".
std::string followed_by(const std::string& command) {
  const std::size_t begin = command.find(kFollow) + kFollow.size();
  return command.substr(begin, command.find(' ', begin) - begin);
}

// "The lab, and questions for answers in words (answers.md)"; empty where there is neither.
std::string what_else(const fs::path& folder) {
  const bool lab = fs::exists(folder / "lab.cc"), answers = fs::exists(folder / "answers.md");
  const std::string questions = "uestions for answers in words (answers.md)";
  if (lab) return "The lab" + (answers ? ", and q" + questions : "");
  return answers ? "Q" + questions : "";
}

}  // namespace

Page payoff_page(const Workshop& workshop, const Lesson& lesson) {
  const fs::path folder = workshop.root / lesson.folder();
  const std::string follow = training_in(folder / "README.md", std::string(kFollow));
  Page page;
  page.add("Lesson " + lesson.number + " is done." + (follow.empty() ? "" : " See it work:"),
           Style::good);
  if (!follow.empty()) {
    const std::string run = followed_by(follow);
    if (!fs::exists(workshop.root / run)) {
      const std::string first =
          training_in(workshop.root / "lessons/README.md", "--out " + run + ' ');
      if (!first.empty()) page.add_item("  ", first);
    }
    page.add_item("  ", follow);
  }
  const std::string besides = what_else(folder);
  if (!besides.empty()) page.add(besides + ": " + lesson.folder() + "/README.md, Check yourself.");
  return page;
}

}  // namespace andrea::course
