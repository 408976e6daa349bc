#include "simulator/tool/command_options.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace simulator {
namespace {

constexpr std::string_view kNoObjects =
    "builds whole programs: give all sources at once, and -o FILE to keep the program";

constexpr Option kOptions[] = {
    {"--help", Action::help},
    {"-h", Action::help},
    {"--check", Action::check},
    {"--profile", Action::profile, false, "SIMULATOR_PROFILE"},
    {"--html", Action::profile, true, "SIMULATOR_PROFILE_HTML"},
    {"--json", Action::environment, true, "SIMULATOR_JSON"},
    {"--seed", Action::environment, true, "SIMULATOR_SEED"},
    {"--workers", Action::environment, true, "SIMULATOR_WORKERS"},
    {"--timeout", Action::environment, true, "SIMULATOR_TIMEOUT"},
    {"-o", Action::output, true},
    {"--compiler", Action::compiler, true},  // The front door's.
    {"-include", Action::compile, true},
    {"-isystem", Action::compile, true},
    {"-iquote", Action::compile, true},
    {"-w", Action::compile},
    {"-pthread", Action::compile},
    {"-c", Action::refuse, false, kNoObjects},
    {"-dc", Action::refuse, false, kNoObjects},
    {"-E", Action::refuse, false, kNoObjects},
    {"-S", Action::refuse, false, kNoObjects},
    // nvcc's.
    {"--std", Action::standard, true},
    {"--extended-lambda", Action::lambda},
    {"-extended-lambda", Action::lambda},
    {"--expt-extended-lambda", Action::lambda},
    {"-expt-extended-lambda", Action::lambda},
    {"--expt-relaxed-constexpr", Action::constexpr_functions},
    {"-expt-relaxed-constexpr", Action::constexpr_functions},
    {"-Xcompiler", Action::compile_list, true},
    {"--compiler-options", Action::compile_list, true},
    {"-Xlinker", Action::link_list, true},
    {"-arch", Action::ignore, true},
    {"--gpu-architecture", Action::ignore, true},
    {"-code", Action::ignore, true},
    {"--gpu-code", Action::ignore, true},
    {"-gencode", Action::ignore, true},
    {"--generate-code", Action::ignore, true},
    {"-rdc", Action::ignore, true},
    {"--relocatable-device-code", Action::ignore, true},
    {"-Xptxas", Action::ignore, true},
    {"--ptxas-options", Action::ignore, true},
    {"-maxrregcount", Action::ignore, true},
    {"--maxrregcount", Action::ignore, true},
    {"-ccbin", Action::ignore, true},
    {"--compiler-bindir", Action::ignore, true},
    {"-cudart", Action::ignore, true},
    {"--cudart", Action::ignore, true},
    {"-fmad", Action::ignore, true},
    {"--fmad", Action::ignore, true},
    {"-lineinfo", Action::ignore},
    {"--generate-line-info", Action::ignore},
    {"-G", Action::ignore},
    {"--device-debug", Action::ignore},
    {"-use_fast_math", Action::ignore},
    {"--use_fast_math", Action::ignore},
};

// The number of letters to insert, delete or replace on the way from one to the other.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

const Option* find_option(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  for (const Option& option : kOptions) {
    if (option.name == (option.takes_value ? name : word)) return &option;
  }
  return nullptr;
}

std::string nearest_option(std::string_view word) {
  const auto nearer = [&](const Option& a, const Option& b) {
    return distance(word, a.name) < distance(word, b.name);
  };
  const Option* const end = std::end(kOptions);
  return std::string(std::min_element(std::begin(kOptions), end, nearer)->name);
}

}  // namespace simulator
