// sample SOLUTION EXERCISES|CHEAT: prints the kernel.cu of a student who has solved these exercises
// ("00.1,00.3"; "all"; "none"), or who cheats (synthetic.h has the names).

#include <cstdio>
#include <exception>
#include <set>
#include <sstream>
#include <string>

#include "tests/grading/synthetic.h"
#include "tools/course/stub.h"
#include "trainer/base/file.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: sample SOLUTION EXERCISES|CHEAT\n");
    return 2;
  }
  try {
    const std::string solution = andrea::read_file(argv[1]), what = argv[2];
    for (const auto& [name, kernel] : andrea::grading::cheats(solution, "/nowhere")) {
      if (name == what) return std::fputs(kernel.c_str(), stdout) < 0;
    }
    std::set<std::string> solved;
    for (const andrea::course::Region& region : andrea::course::regions_of(solution, argv[1])) {
      if (what == "all") solved.insert(region.exercise);
    }
    std::istringstream list(what);
    for (std::string one; std::getline(list, one, ',');) solved.insert(one);
    std::fputs(andrea::grading::with_solved(solution, solved).c_str(), stdout);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sample: %s\n", error.what());
    return 1;
  }
  return 0;
}
