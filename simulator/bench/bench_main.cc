// ./andrea bench simulator: what a simulated thread, barrier and shuffle cost, and what checking
// costs, beside plain loops timed in the same run.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

namespace {

using Figures = std::map<std::string, double>;

// Runs one of the two builds of kernels.cu with so many workers.
Figures run(const std::string& program, int workers) {
  const std::string command = "SIMULATOR_WORKERS=" + std::to_string(workers) + " '" + program + "'";
  FILE* const output = popen(command.c_str(), "r");
  if (output == nullptr) {
    std::fprintf(stderr, "bench: could not start %s.\n", program.c_str());
    std::exit(1);
  }
  Figures figures;
  char name[64];
  double value = 0;
  while (std::fscanf(output, "%63s %lf", name, &value) == 2) figures[name] = value;
  if (pclose(output) != 0) {
    std::fprintf(stderr, "bench: %s failed.\n", program.c_str());
    std::exit(1);
  }
  return figures;
}

void row(const char* what, double value, const char* unit, const char* aim) {
  std::printf("  %-46s %9.2f %-14s %s\n", what, value, unit, aim);
}

}  // namespace

int main() {
  const std::string folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const Figures one = run(folder + "/bench_fast", 1);
  const Figures two = run(folder + "/bench_fast", 2);
  const Figures check = run(folder + "/bench_check", 1);

  std::printf("Fast build, one worker                                                  aim\n");
  row("a thread of an empty kernel", one.at("thread"), "ns", "1");
  row("a barrier, for each thread", one.at("barrier"), "ns", "10");
  row("a shuffle, for each thread", one.at("shuffle"), "ns", "12");
  row("an element of a vector addition", one.at("add") / one.at("add_by_loop"), "x a plain loop",
      "");
  row("a product of a tiled matmul", one.at("matmul") / one.at("matmul_by_loop"), "x a plain loop",
      "");
  std::printf("Two workers against one\n");
  row("empty threads", one.at("thread") / two.at("thread"), "x", "");
  row("the tiled matmul", one.at("matmul") / two.at("matmul"), "x", "at least 1.8");
  std::printf("Check build against the fast one, one worker\n");
  row("the tiled matmul", check.at("matmul") / one.at("matmul"), "x", "at most 15");
  row("the matmul without tiles", check.at("simple_matmul") / one.at("simple_matmul"), "x", "");
  row("the vector addition", check.at("add") / one.at("add"), "x", "");
  return 0;
}
