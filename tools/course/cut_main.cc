// cut SOLUTION: prints the exercise that a solution file becomes.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>

#include "tools/course/stub.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: cut SOLUTION\n");
    return 2;
  }
  std::ifstream file(argv[1]);
  if (!file) {
    std::fprintf(stderr, "cut: '%s' cannot be read.\n", argv[1]);
    return 2;
  }
  const std::string solution{std::istreambuf_iterator<char>(file), {}};
  try {
    const std::string stub = andrea::course::stub_of(solution, argv[1]);
    std::fwrite(stub.data(), 1, stub.size(), stdout);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
