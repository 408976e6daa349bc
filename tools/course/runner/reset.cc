#include "tools/course/runner/reset.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tools/course/runner/pristine.h"
#include "tools/course/runner/region.h"
#include "tools/course/runner/selection.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

// Writes what was there under the first name that is free, and returns that.
fs::path keep(const fs::path& file, const std::string& contents) {
  for (int number = 1;; ++number) {
    fs::path copy = file;
    copy += ".before-reset-" + std::to_string(number);
    // Never over a file that is there, whoever made it.
    const int descriptor = open(copy.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) {
      throw Error(text(copy.string(), " cannot be written: ", std::strerror(errno),
                       ". Nothing was reset."));
    }
    close(descriptor);
    write_file(copy, contents);
    return copy;
  }
}

std::string stub_or_refuse(const Workshop& workshop, const Lesson& lesson,
                           const std::string& file) {
  if (auto stub = pristine(workshop.root, lesson, file)) return *stub;
  throw Error("what " + lesson.folder() + "/" + file +
              " was at first is not to be had: there is no solution that it could be cut of, no " +
              stub_copy(lesson, file).string() + ", and no first version of it in git.");
}

// The file anew, with what was there kept; says so on the page.
void replace(Page& page, const Workshop& workshop, const std::string& name,
             const std::string& contents, const std::string& what) {
  const fs::path path = workshop.root / name;
  if (!fs::exists(path)) {
    write_file(path, contents);
    page.add(name + " was not there; it is as it was handed out.");
    return;
  }
  const std::string before = read_file(path);
  if (before == contents) {
    page.add(what + " is as it was handed out already.");
    return;
  }
  const fs::path copy = keep(path, before);
  replace_file(path, contents);
  page.add(what + " is as it was handed out.");
  page.add("What was there is kept: " + copy.lexically_relative(workshop.root).string());
}

}  // namespace

Page reset(const Workshop& workshop, const std::string& words) {
  const Selection selection = selection_of(workshop.course, words);
  const Lesson& lesson = *selection.lesson;
  Page page;
  if (selection.exercise != nullptr) {
    const Exercise& exercise = *selection.exercise;
    const std::string name = lesson.folder() + "/" + exercise.file;
    const std::string stub = stub_or_refuse(workshop, lesson, exercise.file);
    if (!fs::exists(workshop.root / name)) {
      throw Error(name + " does not exist; ./andrea reset " + lesson.number + "." +
                  name_of(part_of(exercise)) + " brings it back.");
    }
    const std::string work = read_file(workshop.root / name);
    const auto places = places_of(stub, work, exercise.id);
    if (!places) {
      throw Error("the lines of " + exercise.id + " cannot be told from the others in " + name +
                  ", since what stands round them has changed. ./andrea reset " + lesson.number +
                  "." + name_of(part_of(exercise)) + " puts the whole file back.");
    }
    replace(page, workshop, name, put_back(stub, work, *places), exercise.id + " in " + name);
    return page;
  }
  if (selection.part == Part::together) {
    throw Error("the kernels together have no file of their own; ./andrea reset " + lesson.number +
                ".kernel puts this lesson's back.");
  }
  for (const Part part : kParts) {
    const std::string file = file_of_part(part);
    if (file.empty() || (selection.part && selection.part != part)) continue;
    if (exercises_of(lesson, part).empty()) continue;
    const std::string stub = stub_or_refuse(workshop, lesson, file);
    const std::string name = lesson.folder() + "/" + file;
    replace(page, workshop, name, stub, name);
  }
  return page;
}

}  // namespace andrea::course
