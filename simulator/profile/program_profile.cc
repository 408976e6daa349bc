#include "simulator/profile/program_profile.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "simulator/profile/page.h"
#include "simulator/profile/profile.h"
#include "simulator/profile/profiler.h"
#include "simulator/profile/table.h"
#include "simulator/runtime/terminal_text.h"

namespace simulator {
namespace {

bool has_check_build = false;

// As it was when the program began.
struct Wanted {
  bool table = false;
  std::string page;
  bool any() const { return table || !page.empty(); }
};

const Wanted& wanted() {
  static const Wanted* const kWanted = [] {
    auto* const read = new Wanted;
    const char* const table = std::getenv("SIMULATOR_PROFILE");
    const char* const page = std::getenv("SIMULATOR_PROFILE_HTML");
    read->table = table != nullptr && *table != '\0' && std::string_view(table) != "0";
    if (page != nullptr) read->page = page;
    return read;
  }();
  return *kWanted;
}

Profile& program_profile() {
  static Profile* const kProfile = new Profile;
  return *kProfile;
}

void report() {
  std::fflush(stdout);
  const std::vector<KernelCounters> kernels = program_profile().kernels();
  if (wanted().table)
    std::fputs(profile_table(kernels, colours_on_standard_error()).c_str(), stderr);
  if (wanted().page.empty()) return;
  std::ofstream file(wanted().page);
  file << profile_page(kernels);
  if (!file.flush()) {
    std::fprintf(stderr, "simulator: could not write the profile to '%s'.\n",
                 wanted().page.c_str());
  }
}

// Also in programs without a kernel of the check build, of which nobody else tells the library.
[[gnu::destructor]] void say_that_nothing_was_counted() {
  if (has_check_build || !wanted().any()) return;
  std::fflush(stdout);
  std::fprintf(stderr, "simulator: a profile was asked for, but %s.\n", kNotCounted);
}

}  // namespace

bool begin_program_profile() {
  has_check_build = true;
  if (!wanted().any()) return false;
  // What the program registers is called before the library ends a program that had errors.
  std::atexit(&report);
  profiler().add_to(&program_profile());
  return true;
}

bool can_count() { return has_check_build; }

}  // namespace simulator
