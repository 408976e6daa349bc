#include "tools/course/edition.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "tools/course/stub.h"
#include "trainer/base/file.h"
#include "trainer/base/lines.h"
#include "trainer/base/process.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTellingLines = 5, kFewestLines = 3;
// Shorter ones are what any kernel has: "if (n >= N) return;" and a row's beginning.
constexpr std::size_t kFewestLetters = 60;

bool is_left_out(const std::string& path, const std::string& exam_folder) {
  if (!exam_folder.empty() && path.starts_with(exam_folder)) return false;
  return std::any_of(kLeftOut.begin(), kLeftOut.end(), [&](const std::string& one) {
    return one.ends_with('/') ? path.starts_with(one) : path == one || path.ends_with("/" + one);
  });
}

// Whether a folder or a page that is left out is named: not as the end of a longer word.
bool names_left_out(const std::string& text) {
  for (const std::string& one : kLeftOut) {
    if (!one.ends_with('/') && !one.ends_with(".md")) continue;
    for (std::size_t at = text.find(one); at != std::string::npos; at = text.find(one, at + 1)) {
      const char before = at == 0 ? ' ' : text[at - 1];
      if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_') return true;
    }
  }
  return false;
}

// Whether the line begins a row of a table, an item of a list, or a paragraph behind a blank line.
bool begins_unit(const std::string& line, bool after_blank) {
  static const std::regex kItem(R"(\s*([-*|]|\d+\.)\s.*|\|.*)");
  return after_blank || std::regex_match(line, kItem);
}

// Without the last heading, if nothing of the section below it is left.
void drop_empty_section(std::string& markdown) {
  const std::size_t end = markdown.find_last_not_of('\n');
  if (end == std::string::npos) return;
  const std::size_t line = markdown.rfind('\n', end) + 1;  // 0 where it is the first
  if (markdown.compare(line, 3, "## ") == 0) markdown.erase(line);
}

std::string without_instructors_part(const std::string& markdown) {
  std::string result, unit;
  bool has_left_out = false;  // since the last heading
  const auto finish = [&] {
    if (unit.starts_with("## ")) {
      if (has_left_out) drop_empty_section(result);
      has_left_out = false;
    }
    const bool goes = names_left_out(unit);
    has_left_out = has_left_out || goes;
    if (!goes) result += unit;
    unit.clear();
  };
  bool after_blank = true;
  for (const std::string& line : lines_of(markdown)) {
    if (line.empty()) {
      finish();
      if (!result.ends_with("\n\n")) result += '\n';
    } else {
      if (begins_unit(line, after_blank)) finish();
      unit += line + '\n';
    }
    after_blank = line.empty();
  }
  finish();
  if (has_left_out) drop_empty_section(result);
  while (result.ends_with("\n\n")) result.pop_back();
  return result;
}

// Without spaces, brackets around blocks, and lines of comment, so that code set otherwise is the
// same.
std::string closed_up(const std::string& text) {
  std::string result;
  for (const std::string& line : lines_of(text)) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line.compare(begin, 2, "//") == 0) continue;
    std::copy_if(line.begin(), line.end(), std::back_inserter(result), [](unsigned char letter) {
      return std::isspace(letter) == 0 && letter != '{' && letter != '}';
    });
  }
  return result;
}

// The lines of code of a marked region, closed up.
struct Answer {
  std::string exercise;
  std::vector<std::string> lines;
};

std::vector<Answer> answers_of(const std::string& solution, const std::string& name) {
  std::vector<Answer> answers;
  for (const Region& region : regions_of(solution, name)) {
    Answer answer{region.exercise, {}};
    for (const std::string& line : lines_of(region.code)) {
      const std::string code = closed_up(line);
      if (!code.empty()) answer.lines.push_back(code);
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

// What must not be found anywhere.
std::vector<std::string> telling_parts(const Answer& answer) {
  std::vector<std::string> parts;
  const std::size_t count = answer.lines.size(), length = std::min(count, kTellingLines);
  if (length < kFewestLines) return parts;
  for (std::size_t first = 0; first + length <= count; ++first) {
    std::string part;
    for (std::size_t i = first; i < first + length; ++i) part += answer.lines[i];
    if (part.size() >= kFewestLetters) parts.push_back(std::move(part));
  }
  return parts;
}

bool is_solution(const std::string& path) {
  return path.starts_with("solutions/") || path.starts_with("exam/solutions/");
}

// "solutions/01_a/kernel.cu" is of "lessons/01_a/kernel.cu", and an exam's of "exam/...".
std::string exercise_file_of(const std::string& solution) {
  const std::string tree = solution.starts_with("exam/") ? "exam/" : "lessons/";
  const std::string below = "solutions/";
  return tree + solution.substr(solution.find(below) + below.size());
}

bool is_exercise(const std::string& path) {
  return (path.starts_with("lessons/") || path.starts_with("exam/")) &&
         (path.ends_with(".cu") || path.ends_with(".h"));
}

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

void find_answers(const Files& edition, const Files& tree, std::vector<std::string>& faults) {
  std::string all;                           // the edition, closed up, a file behind the other
  std::map<std::size_t, std::string> files;  // by where they begin in it
  for (const auto& [path, text] : edition) {
    if (file_name(path) == "hints.md") continue;
    files[all.size()] = path;
    all += closed_up(text) + '\n';
  }
  std::set<std::string> found;
  for (const auto& [solution, text] : tree) {
    if (!is_solution(solution) || !has_regions(text)) continue;
    for (const Answer& answer : answers_of(text, solution)) {
      for (const std::string& part : telling_parts(answer)) {
        // Some thousand parts in some million letters: not one letter after the other.
        const std::boyer_moore_horspool_searcher searcher(part.begin(), part.end());
        for (auto at = std::search(all.cbegin(), all.cend(), searcher); at != all.cend();
             at = std::search(at + 1, all.cend(), searcher)) {
          const auto file =
              std::prev(files.upper_bound(static_cast<std::size_t>(at - all.cbegin())));
          found.insert(file->second + " has lines of the answer of " + answer.exercise + " (" +
                       solution + ").");
        }
      }
    }
  }
  faults.insert(faults.end(), found.begin(), found.end());
}

void find_missing_packages(const Files& edition, std::vector<std::string>& faults) {
  static const std::regex kLabel(R"rx("//([A-Za-z0-9_/]+)(:[^"]*)?")rx");
  static const std::set<std::string> kBazelsOwn = {"conditions", "visibility"};
  std::set<std::string> found;
  for (const auto& [path, text] : edition) {
    if (file_name(path) != "BUILD") continue;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), kLabel);
         at != std::sregex_iterator(); ++at) {
      const std::string package = (*at)[1];
      // A visibility may name packages that are not there.
      if ((*at)[2].str().starts_with(":__") || kBazelsOwn.count(package) > 0) continue;
      if (edition.count(package + "/BUILD") > 0) continue;
      found.insert(path + " names the package //" + package + ", which is not there.");
    }
  }
  faults.insert(faults.end(), found.begin(), found.end());
}

// Without what stands between backticks, where a bracket may be an index.
std::string without_code(const std::string& markdown) {
  std::string prose;
  bool in_code = false;
  for (const char letter : markdown) {
    if (letter == '`') in_code = !in_code;
    if (!in_code) prose += letter;
  }
  return prose;
}

// Links within the edition, to files and folders.
void find_dead_links(const Files& edition, std::vector<std::string>& faults) {
  static const std::regex kLink(R"(\]\(([^)\s#]+)(#[^)\s]*)?\))");
  for (const auto& [path, text] : edition) {
    if (!path.ends_with(".md")) continue;
    const std::string prose = without_code(text);
    for (auto at = std::sregex_iterator(prose.begin(), prose.end(), kLink);
         at != std::sregex_iterator(); ++at) {
      const std::string link = (*at)[1];
      if (link.find(':') != std::string::npos) continue;  // of another place
      std::string target = (fs::path(path).parent_path() / link).lexically_normal().string();
      if (target.ends_with('/')) target.pop_back();
      const auto next = edition.lower_bound(target + "/");
      const bool is_folder = next != edition.end() && next->first.starts_with(target + "/");
      if (is_folder || edition.count(target) > 0 || target == ".") continue;
      faults.push_back(path + " links to " + target + ", which is not there.");
    }
  }
}

// Neither what stands there nor what Bazel finds below the tree is to be disturbed.
void require_place(const fs::path& root, const fs::path& to) {
  const fs::path from_root = fs::weakly_canonical(to).lexically_relative(fs::canonical(root));
  if (!from_root.empty() && *from_root.begin() != "..") {
    throw std::runtime_error("'" + to.string() +
                             "' lies in the repository, whose build would find it; give a folder "
                             "elsewhere.");
  }
  if (fs::exists(to) && !fs::is_directory(to)) {
    throw std::runtime_error("'" + to.string() + "' is no folder; give the name of a new one.");
  }
  if (fs::exists(to) && !fs::is_empty(to)) {
    throw std::runtime_error("the folder '" + to.string() +
                             "' is not empty; give an empty or a new one.");
  }
}

// "exam/x03_sliding_window/"; empty where none is asked for.
std::string exam_folder_of(const Files& tree, const std::string& exam) {
  if (exam.empty()) return "";
  std::string known;
  for (const auto& [path, text] : tree) {
    if (!path.starts_with("exam/x") || !path.ends_with("/exam.json")) continue;
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    const std::string number = folder.substr(std::string("exam/x").size(), 2);
    if (number == exam) return folder;
    known += (known.empty() ? "" : ", ") + number;
  }
  throw std::runtime_error("there is no exam '" + exam + "'; there are " + known + ".");
}

}  // namespace

Files edition_of(const Files& tree, const std::string& exam) {
  const bool has_solutions = std::any_of(tree.begin(), tree.end(), [](const auto& file) {
    return file.first.starts_with("solutions/");
  });
  if (!has_solutions) {
    throw std::runtime_error(
        "there is no solutions/ here, from which the exercises are cut: this is a student edition "
        "already.");
  }
  const std::string exam_folder = exam_folder_of(tree, exam);
  Files edition;
  for (const auto& [path, text] : tree) {
    if (is_left_out(path, exam_folder)) continue;
    edition[path] = path.ends_with(".md") ? without_instructors_part(text) : text;
  }
  for (const auto& [path, text] : tree) {
    if (!is_solution(path) || !has_regions(text)) continue;
    const std::string exercise = exercise_file_of(path);
    if (is_left_out(exercise, exam_folder)) continue;
    edition[exercise] = stub_of(text, path);
    constexpr std::string_view kLessons = "lessons/";
    if (exercise.starts_with(kLessons)) {
      edition["tools/course/stubs/" + exercise.substr(kLessons.size())] = edition[exercise];
    }
  }
  const auto policy = tree.find(kAssistantsPolicy);
  if (policy == tree.end())
    throw std::runtime_error(std::string(kAssistantsPolicy) + " is missing.");
  edition[kAssistantsPolicyThere] = policy->second;
  return edition;
}

std::vector<std::string> faults_of_edition(const Files& edition, const Files& tree) {
  std::vector<std::string> faults;
  find_answers(edition, tree, faults);
  for (const auto& [path, text] : edition) {
    if (is_exercise(path) && has_regions(text)) faults.push_back(path + " is a solution.");
  }
  find_missing_packages(edition, faults);
  find_dead_links(edition, faults);
  return faults;
}

Files tracked_files(const fs::path& root) {
  const ProcessResult listed = run_process({"git", "ls-files", "-z"}, root);
  if (listed.status != 0) {
    throw std::runtime_error("git cannot tell what belongs to '" + root.string() +
                             "': " + listed.errors.substr(0, listed.errors.find('\n')));
  }
  Files files;
  std::istringstream names(listed.output);
  for (std::string name; std::getline(names, name, '\0');) {
    if (fs::is_regular_file(root / name)) files[name] = read_file(root / name);
  }
  return files;
}

std::size_t export_edition(const fs::path& root, const fs::path& to, const std::string& exam) {
  require_place(root, to);
  const Files tree = tracked_files(root);
  const Files edition = edition_of(tree, exam);
  const std::vector<std::string> faults = faults_of_edition(edition, tree);
  if (!faults.empty()) {
    std::string told = "nothing has been written, since the edition would not be right:";
    for (const std::string& fault : faults) told += "\n  " + fault;
    throw std::runtime_error(told);
  }
  for (const auto& [path, text] : edition) {
    fs::create_directories((to / path).parent_path());
    std::ofstream file(to / path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw std::runtime_error("'" + (to / path).string() + "' cannot be written.");
    // Programs stay programs.
    if (fs::exists(root / path)) fs::permissions(to / path, fs::status(root / path).permissions());
  }
  return edition.size();
}

}  // namespace andrea::course
