#include "tools/course/grader/workspace.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tools/course/grader/marks/compiler_words.h"
#include "tools/course/grader/marks/judgement.h"
#include "trainer/base/error.h"
#include "trainer/base/file.h"

namespace andrea::grader {
namespace {

namespace fs = std::filesystem;

// "kernel" of kernel.cu; empty for a file that nobody compiles.
std::string part_of(const std::string& path) {
  const fs::path file = fs::path(path).filename();
  return file.extension() == ".md" ? "" : file.stem().string();
}

std::string package_of(const Student& student, const std::string& path) {
  return "graded/" + student.id + "/" + fs::path(path).parent_path().string();
}

void write_if_other(const fs::path& path, const std::string& contents) {
  fs::create_directories(path.parent_path());
  if (fs::exists(path) && read_file(path) == contents) return;
  write_file(path, contents);
}

std::string build_file(const std::string& lesson, const std::vector<std::string>& parts,
                       const Class& whole, const GradingOptions& options) {
  std::string list;
  for (const std::string& part : parts) list += "        \"" + part + "\",\n";
  return "load(\"//tools/bazel:graded.bzl\", \"graded\")\n\ngraded(\n    confined = " +
         std::string(whole.confined ? "True" : "False") + ",\n    lesson = \"" + lesson +
         "\",\n    parts = [\n" + list +
         "    ],\n    seconds = " + std::to_string(options.seconds) + ",\n)\n";
}

}  // namespace

void write_workspace(const fs::path& folder, const fs::path& root, const Class& whole,
                     const GradingOptions& options) {
  std::set<std::string> packages;
  std::string targets;
  nlohmann::json json;
  json["confined"] = whole.confined;
  json["past"] = whole.past;
  json["left_out"] = whole.left_out;
  for (const course::Lesson& lesson : whole.lessons) json["lessons"].push_back(lesson.number);
  for (const Student& student : whole.students) {
    nlohmann::json one = {{"name", student.name}, {"id", student.id}, {"remarks", student.remarks}};
    one["files"] = nlohmann::json::array();
    for (const course::Lesson& lesson : whole.lessons) {
      std::vector<std::string> parts;
      const std::string package = package_of(student, lesson.folder() + "/x");
      for (const auto& [path, text] : student.files) {
        if (fs::path(path).parent_path() != lesson.folder()) continue;
        write_if_other(folder / "graded" / student.id / path, text);
        one["files"].push_back(path);
        if (part_of(path).empty()) continue;
        parts.push_back(part_of(path));
        targets += "//" + package + ":" + parts.back() + "\n";
      }
      if (parts.empty()) continue;
      packages.insert(package);
      write_if_other(folder / package / "BUILD",
                     build_file(lesson.number + "_" + lesson.name, parts, whole, options));
    }
    json["students"].push_back(one);
  }
  // Of an earlier run: submissions, lessons, and files that are no longer handed in.
  if (fs::exists(folder / "graded")) {
    std::vector<fs::path> stale;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "graded")) {
      if (entry.is_directory()) continue;
      const fs::path package = entry.path().parent_path().lexically_relative(folder);
      if (entry.path().filename() == "BUILD") {
        if (packages.count(package.string()) == 0) stale.push_back(entry.path());
        continue;
      }
      const bool wanted =
          std::any_of(whole.students.begin(), whole.students.end(), [&](const Student& student) {
            const fs::path within = entry.path().lexically_relative(folder / "graded" / student.id);
            return student.files.count(within.string()) > 0;
          });
      if (!wanted) stale.push_back(entry.path());
    }
    for (const fs::path& file : stale) fs::remove(file);
  }

  std::string flags = "--package_path=%workspace%:" + folder.string() + "\n";
  flags += "--target_pattern_file=" + (folder / "targets").string() + "\n";
  // A sandbox shows the whole machine to a compiler, unless it is told not to.
  for (const char* secret : {"solutions", "exam", "tests/mutants"}) {
    if (fs::exists(root / secret)) {
      flags += "--sandbox_block_path=" + fs::canonical(root / secret).string() + "\n";
    }
  }
  if (options.jobs > 0) flags += "--jobs=" + std::to_string(options.jobs) + "\n";
  write_if_other(folder / "targets", targets);
  write_if_other(folder / "bazel.flags", flags);
  // Texts are others' and may be in any encoding.
  write_if_other(folder / "class.json",
                 json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

Class read_workspace(const fs::path& folder, const course::Course& course) {
  Class whole;
  try {
    const nlohmann::json json = nlohmann::json::parse(read_file(folder / "class.json"));
    whole.confined = json.at("confined");
    whole.past = json.at("past");
    whole.left_out = json.at("left_out");
    for (const course::Lesson& lesson : course.lessons) {
      for (const nlohmann::json& number : json.at("lessons")) {
        if (number == lesson.number) whole.lessons.push_back(lesson);
      }
    }
    for (const nlohmann::json& one : json.at("students")) {
      Student student;
      student.name = one.at("name");
      student.id = one.at("id");
      student.remarks = one.at("remarks").get<std::vector<std::string>>();
      for (const nlohmann::json& path : one.at("files")) {
        const std::string name = path;
        student.files[name] = read_file(folder / "graded" / student.id / name);
      }
      whole.students.push_back(std::move(student));
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error((folder / "class.json").string() + " cannot be read: " + error.what());
  }
  return whole;
}

void add_results(Class& whole, const BuildEvents& events) {
  for (Student& student : whole.students) {
    for (const auto& [path, text] : student.files) {
      const std::string part = part_of(path);
      if (part.empty()) continue;
      const std::string package = package_of(student, path);
      FileResult& result = student.results[path];
      result.words = "It was not graded: Bazel did not come to it.";
      const auto look = events.files.find(package + "/" + part + "_student_object.remarks.txt");
      if (look != events.files.end()) {
        std::istringstream remarks(read_file(look->second));
        for (std::string line; std::getline(remarks, line);) student.remarks.push_back(line);
      }
      const auto file = events.files.find(package + "/" + part + ".json");
      if (file != events.files.end()) {
        try {
          result.marks = read_judgement(read_file(file->second));
          result.outcome = Outcome::passed;
        } catch (const Error& error) {
          result.words = std::string("It was not graded: ") + error.what();  // the others were
        }
        continue;
      }
      const std::string label = "//" + package + ":" + part;
      for (const FailedAction& failed : events.failed) {
        if (failed.label == label) {
          result.words = failed.words;
        } else if (failed.label.rfind(label + "_student", 0) == 0) {
          result.outcome =
              failed.kind == "LookAtStudent" ? Outcome::refused : Outcome::not_compiled;
          result.words = plain_compiler_words(failed.words);
        }
      }
    }
  }
}

}  // namespace andrea::grader
