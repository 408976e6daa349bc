#include "trainer/commands/command_line.h"

#include <cuda_runtime_api.h>
#include <omp.h>
#include <simulator/reports.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <numeric>

#include "kernels/origins.h"
#include "trainer/base/error.h"
#include "trainer/base/terminal.h"
#include "trainer/commands/help_text.h"

namespace andrea {
namespace {

// Letters to insert, remove or replace (Levenshtein 1966).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

}  // namespace

bool parse(CLI::App& app, std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(arguments));
    return true;
  } catch (const CLI::CallForHelp&) {
    std::cout << help_text(app, terminal_columns());
    return false;
  } catch (const CLI::ExtrasError&) {
    const std::string unknown = app.remaining().empty() ? "" : app.remaining().front();
    const std::string word = unknown.substr(0, unknown.find('='));
    const std::string known = nearest(word, flags_of(app));
    throw Error(text(app.get_name(), " does not know ", word,
                     known.empty() ? "" : "; did you mean " + known + "?", "  (", app.get_name(),
                     " --help lists all flags)"));
  } catch (const CLI::ParseError& error) {
    throw Error(text(app.get_name(), ": ", error.what()));
  }
}

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t far = distance(word, candidate);
    if (far < best_distance) {
      best_distance = far;
      best = candidate;
    }
  }
  return best;
}

void add_threads_flag(CLI::App& app) {
  app.add_option_function<int>(
         "--threads",
         [](const int& threads) {
           require(threads >= 1 && threads <= 1024, "--threads is ", threads,
                   "; it must be between 1 and 1024");
           omp_set_num_threads(threads);
         },
         "CPU threads; all cores unless given")
      ->configurable(false);
}

CLI::Validator whole_number() {
  return CLI::Validator(
      [](const std::string& value) {
        std::uint64_t number = 0;
        const char* end = value.data() + value.size();
        const auto [stop, error] = std::from_chars(value.data(), end, number);
        return error == std::errc() && stop == end ? "" : "'" + value + "' is not a whole number";
      },
      "");
}

void add_kernel_flags(CLI::App& app, std::string& kernels, std::vector<std::string>& use) {
  app.add_option("--kernels", kernels,
                 "the kernel set to run on; auto: cpu on the CPU, cuda on a card")
      ->capture_default_str();
  app.add_option("--use", use,
                 "take lessons' operations from another set: --use lessons:03, --use lessons:01-03")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag_callback(
      "--check",
      [] {
        require(kernels_are_checked(),
                "this program was built without the checker; ./andrea builds it with it when "
                "--check is on its command line");
      },
      "run simulated kernels under the checker, which reports races and wrong accesses");
}

void add_device_flag(CLI::App& app, std::string& device) {
  app.add_option_function<std::string>(
         "--device",
         [&device](const std::string& name) {
           require(name == "gpu" || name == "cpu" || name == "auto",
                   "--device is gpu, cpu or auto, not '", name, "'");
           device = name;
         },
         "where kernels run: gpu, cpu, or auto, the card where there is one and nothing names "
         "kernels")
      ->type_name("NAME")
      ->default_str(device);
}

void check_kernel_choice(const KernelChoice& choice) {
  std::vector<std::string> sets = {choice.kernels};
  for (const std::string& use : choice.use) sets.push_back(use.substr(0, use.find(':')));
  for (const std::string& set : sets) {
    const std::string package = set == "cuda" ? "//kernels/cuda:" : "//" + set + "/";
    const bool linked = std::any_of(kernel_origins().begin(), kernel_origins().end(),
                                    [&package](const KernelOrigin& origin) {
                                      return origin.implementation.starts_with(package);
                                    });
    require(linked || set == "cpu" || set == "auto",
            "this program was built without kernels of the set '", set,
            "'; ./andrea builds it with them when --kernels or --use on its command line names it");
  }
  const bool card = !simulator::simulated();
  require(choice.device == "auto" || (choice.device == "gpu") == card,
          "this program was built for the ", card ? "card" : "CPU",
          "; ./andrea builds it for the other when --device ", choice.device,
          " is on its command line");
  // Under the simulator there is always one.
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  require(error == cudaSuccess && devices > 0, "no CUDA device here (", cudaGetErrorString(error),
          "); with --device cpu the same runs on the CPU");
}

}  // namespace andrea
