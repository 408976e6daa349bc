#include "tools/course/runner/part.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

bool is_student_file(const std::string& name) {
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](Part part) { return name == file_of_part(part); });
}

// FNV-1a, over names and contents: what is to be noticed is a change, not a forgery.
class Hash {
 public:
  void add(const std::string& text) {
    for (const char byte : text) {
      value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    }
    value_ = (value_ ^ 0x1ffu) * 0x100000001b3u;
  }
  void add_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    add(file ? std::string(std::istreambuf_iterator<char>(file), {}) : "(absent)");
  }
  std::string text() const {
    std::array<char, 17> digits;
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(value_));
    return digits.data();
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

// What the lessons' tests include from a folder, the student's files left out.
std::vector<fs::path> given_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string(), kind = entry.path().extension();
    if (is_student_file(name) || !entry.is_regular_file(error)) continue;
    if (kind == ".cc" || kind == ".h" || kind == ".cuh" || name == "BUILD") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string name_of(Part part) {
  switch (part) {
    case Part::kernel:
      return "kernel";
    case Part::worksheet:
      return "worksheet";
    case Part::together:
      return "together";
    case Part::further:
      return "further";
  }
  return "";
}

std::string file_of_part(Part part) {
  switch (part) {
    case Part::kernel:
      return "kernel.cu";
    case Part::worksheet:
      return "worksheet.h";
    case Part::together:
      return "";
    case Part::further:
      return "further.cu";
  }
  return "";
}

Part part_of(const Exercise& exercise) {
  for (const Part part : kParts) {
    if (exercise.file == file_of_part(part)) return part;
  }
  return Part::worksheet;  // answers.md, which no test reads
}

bool has_part(const fs::path& root, const Lesson& lesson, Part part) {
  const fs::path folder = root / lesson.folder();
  if (part == Part::together) return fs::exists(folder / "together_test.cc");
  return !exercises_of(lesson, part).empty() && fs::exists(folder / file_of_part(part));
}

std::string target_of(const Lesson& lesson, Part part) {
  return "//" + lesson.folder() + ":" + name_of(part) + "_test";
}

std::vector<const Exercise*> exercises_of(const Lesson& lesson, Part part) {
  std::vector<const Exercise*> found;
  for (const Exercise& exercise : lesson.exercises) {
    if (exercise.file == file_of_part(part)) found.push_back(&exercise);
  }
  return found;
}

std::vector<std::string> student_files(const Course& course, const Lesson& lesson, Part part) {
  if (part != Part::together) return {lesson.folder() + "/" + file_of_part(part)};
  std::vector<std::string> files;
  for (const Lesson& each : course.lessons) {
    files.push_back(each.folder() + "/kernel.cu");
    if (&each == &lesson) break;
  }
  return files;
}

std::string test_of(const Exercise& exercise) {
  const std::string number = exercise.id.substr(3);
  const bool is_question = number.starts_with('w');
  return "Lesson" + exercise.id.substr(0, 2) +
         (is_question ? ".Question" + number.substr(1) : ".Exercise" + number);
}

std::string state_of(const fs::path& root, const Course& course, const Lesson& lesson, Part part) {
  Hash hash;
  for (const std::string& file : student_files(course, lesson, part)) {
    hash.add(file);
    hash.add_file(root / file);
  }
  for (const fs::path& folder : {root / "lessons", root / lesson.folder()}) {
    for (const fs::path& file : given_files(folder)) {
      hash.add(file.filename().string());
      hash.add_file(file);
    }
  }
  return hash.text();
}

}  // namespace andrea::course
