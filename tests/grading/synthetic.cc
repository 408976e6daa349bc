#include "tests/grading/synthetic.h"

#include <archive.h>
#include <archive_entry.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tools/course/grader/submissions/submission.h"
#include "tools/course/stub.h"

namespace andrea::grading {
namespace {

namespace fs = std::filesystem;

std::set<std::string> exercises_of(const std::string& solution) {
  std::set<std::string> exercises;
  for (const course::Region& region : course::regions_of(solution, "kernel.cu")) {
    exercises.insert(region.exercise);
  }
  return exercises;
}

void write_archive(const fs::path& path, const std::string& name, const std::string& text) {
  archive* const out = archive_write_new();
  if (path.extension() == ".zip") {
    archive_write_set_format_zip(out);
  } else {
    archive_write_set_format_gnutar(out);
    archive_write_add_filter_gzip(out);
  }
  if (archive_write_open_filename(out, path.c_str()) != ARCHIVE_OK) {
    throw std::runtime_error(path.string() + " cannot be written");
  }
  archive_entry* const entry = archive_entry_new();
  archive_entry_set_pathname(entry, name.c_str());
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
  archive_write_header(out, entry);
  archive_write_data(out, text.data(), text.size());
  archive_entry_free(entry);
  archive_write_close(out);
  archive_write_free(out);
}

void write_text(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// In a cheat's text: the folder of the first student who has solved all.
constexpr const char* kHonest = "{honest}";

std::string name_of(std::size_t number, const std::string& what) {
  char text[32];
  std::snprintf(text, sizeof(text), "student %03zu, ", number);
  return text + what;
}

}  // namespace

std::string with_solved(const std::string& solution, const std::set<std::string>& solved) {
  // Without its marks a region is ordinary text, which the stub keeps.
  const std::vector<course::Region> regions = course::regions_of(solution, "kernel.cu");
  std::istringstream stream(solution);
  std::string kept, line;
  bool in_stub = false;
  for (int number = 1; std::getline(stream, line); ++number) {
    bool drop = false;
    for (const course::Region& region : regions) {
      if (solved.count(region.exercise) == 0) continue;
      if (number < region.first_line || number > region.last_line) continue;
      if (line.find("// STUB") != std::string::npos) in_stub = true;
      drop = in_stub || number == region.first_line || number == region.last_line;
      if (number == region.last_line) in_stub = false;
    }
    if (!drop) kept += line + "\n";
  }
  return course::stub_of(kept, "kernel.cu");
}

std::vector<SyntheticStudent> synthetic_class(
    const std::string& solution, const std::vector<mutants::WrittenMutant>& mutants,
    const std::vector<std::pair<std::string, std::string>>& cheats, int count) {
  const std::set<std::string> all = exercises_of(solution);
  std::mt19937 random(1);
  std::vector<SyntheticStudent> students;
  const auto add = [&](const std::string& what, std::string kernel, std::set<std::string> right) {
    const std::string name = name_of(students.size(), what);
    // No two are the same to the letter, as in life.
    students.push_back({name, "// " + name + "\n" + std::move(kernel), std::move(right)});
  };
  for (auto [name, kernel] : cheats) {
    const std::size_t at = kernel.find(kHonest);
    if (at != std::string::npos) {
      kernel.replace(at, std::string(kHonest).size(), grader::id_of(name_of(cheats.size(), "all")));
    }
    add("cheat, " + name, kernel, {});
  }
  for (int i = 0; static_cast<int>(students.size()) < count; ++i) {
    if (i % 2 == 0) {
      add("all", with_solved(solution, all), all);
    } else if (i % 4 == 1 && !mutants.empty()) {
      const mutants::WrittenMutant& mutant = mutants[random() % mutants.size()];
      std::set<std::string> right = all;
      right.erase(mutant.exercise);
      add("mutant " + mutant.exercise + " " + mutant.name,
          with_solved(mutants::applied(mutant, solution), all), right);
    } else {
      std::set<std::string> some;
      for (const std::string& exercise : all) {
        if (random() % 2 == 0) some.insert(exercise);
      }
      add("a part", with_solved(solution, some), some);
    }
  }
  return students;
}

std::vector<std::pair<std::string, std::string>> cheats(const std::string& solution,
                                                        const std::string& tree) {
  const std::string stub = course::stub_of(solution, "kernel.cu");
  const std::string whole = with_solved(solution, exercises_of(solution));
  // Before main, in the program itself: with what C++ has, and with what the system has.
  const auto at_start = [](const std::string& deed, const std::string& includes = "") {
    return "\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n" + includes +
           "namespace {\nstruct AtStart {\n  AtStart() {\n" + deed + "\n  }\n} at_start;\n}\n";
  };
  const auto by_system = [&](const std::string& deed) {
    return at_start(deed, "#include <fcntl.h>\n#include <signal.h>\n#include <unistd.h>\n");
  };
  const std::string path = "lessons/00_first_kernel/";
  return {
      {"nothing is done", stub},
      {"exit 0 at the start", whole + at_start("std::exit(0);")},
      {"_exit 0 at the start", whole + by_system("_exit(0);")},
      {"crash at the start", whole + at_start("__builtin_trap();")},
      {"only says PASSED", stub + at_start("std::puts(\"[  PASSED  ] 8 tests.\");")},
      {"says PASSED and ends",
       stub + by_system("std::puts(\"[  PASSED  ] 8 tests.\"); std::fflush(stdout); "
                        "_exit(0);")},
      {"writes a report of its own",
       stub +
           by_system(
               "for (const char* name : {\"test.xml\", \"../kernel.json\", \"/tmp/kernel.json\", "
               "\"kernel.json\"}) { int f = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644); "
               "if (f >= 0) { (void)!write(f, \"{}\", 2); close(f); } }")},
      {"a main of its own", stub + "\nint main() { return 0; }\n"},
      {"fork bomb", whole + by_system("for (;;) fork();")},
      {"hang", whole + at_start("for (volatile int i = 0; i == 0;) {}")},
      {"100 MB of output",
       stub + at_start(
                  "static char text[1 << 20]; std::memset(text, 'x', sizeof(text)); "
                  "for (int i = 0; i < 100; ++i) { std::fwrite(text, 1, sizeof(text), stdout); }")},
      {"kills all that it can", whole + by_system("kill(-1, SIGKILL); kill(getppid(), SIGKILL); "
                                                  "raise(SIGKILL);")},
      {"takes all memory",
       whole + at_start("for (;;) { char* p = static_cast<char*>(std::malloc(1 << 24)); "
                        "if (p) std::memset(p, 1, 1 << 24); }")},
      {"includes the solution", "#include \"solutions/00_first_kernel/kernel.cu\"\n"},
      {"includes the solution by its path",
       "#include \"" + tree + "/solutions/00_first_kernel/kernel.cu\"\n"},
      {"includes another's", "#include \"../../../student_001__cheat/" + path + "kernel.cu\"\n"},
      // From the folder that Bazel's sandbox compiles in to the one that has all files.
      {"includes another's from outside the sandbox",
       "#include \"../../../../../execroot/andrea/graded/" + std::string(kHonest) + "/" + path +
           "kernel.cu\"\n"},
      {"includes another's by a folder of CUDA's",
       "#include <cooperative_groups/../../../../../../../../execroot/andrea/graded/" +
           std::string(kHonest) + "/" + path + "kernel.cu>\n"},
      {"includes the reference", "#include \"" + path + "reference.h\"\n" + stub},
      {"includes without end", "#include __FILE__\n#include \"/dev/zero\"\n"},
      {"takes in the solution as bytes",
       stub + "\nasm(\".incbin \\\"" + tree + "/solutions/00_first_kernel/kernel.cu\\\"\");\n"},
      {"a compiler without end",
       stub + "\ntemplate <int n, int m> struct Two { static constexpr int value = "
              "Two<n - 1, 2 * m>::value + Two<n - 1, 2 * m + 1>::value; };\n"
              "template <int m> struct Two<0, m> { static constexpr int value = 1; };\n"
              "int endless() { return Two<28, 0>::value; }\n"},
      {"does not compile", "this is no C++\n" + whole},
      {"empty", ""},
  };
}

void hand_in(const std::vector<SyntheticStudent>& students, const std::string& lesson_folder,
             const fs::path& folder) {
  fs::create_directories(folder);
  int kind = 0;
  for (const SyntheticStudent& student : students) {
    const fs::path own = folder / student.name;
    const std::string name = lesson_folder + "/kernel.cu";
    switch (kind++ % 4) {
      case 0:
        write_archive(own.string() + ".zip", name, student.kernel);
        break;
      case 1:
        write_archive(own.string() + ".tar.gz", "work/" + name, student.kernel);
        break;
      case 2: {
        write_text(own / name, student.kernel);
        const std::string git = "git -C '" + own.string() + "' -c user.name=a -c user.email=a@b ";
        const std::string command = git + "init -q && " + git + "add . && " + git + "commit -qm x";
        if (std::system((command + " 2>/dev/null").c_str()) != 0) {
          throw std::runtime_error("git cannot make a repository in " + own.string());
        }
        break;
      }
      default:
        write_text(own / name, student.kernel);
        // What they would like to be taken, and is not.
        write_text(own / lesson_folder / "BUILD", "this is no BUILD file\n");
        write_text(own / lesson_folder / "kernel.h", "#error not taken\n");
        write_text(own / "WORKSPACE", "this is no WORKSPACE\n");
    }
  }
}

}  // namespace andrea::grading
