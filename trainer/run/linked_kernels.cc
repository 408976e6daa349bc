#include "trainer/run/linked_kernels.h"

#include <simulator/reports.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

#include "kernels/training_pass.h"
#include "trainer/base/error.h"

namespace andrea {
namespace {

bool is_of(const KernelOrigin& origin, std::string_view package) {
  return std::string_view(origin.implementation).starts_with(text("//", package, ":"));
}

}  // namespace

bool runs_on_a_card() { return !simulator::simulated(); }

bool are_simulated(std::span<const KernelOrigin> origins) {
  return simulator::simulated() &&
         std::any_of(origins.begin(), origins.end(), [](const KernelOrigin& origin) {
           return !is_of(origin, "kernels/cpu") && !is_of(origin, "kernels/composed");
         });
}

std::string kernels_line(std::span<const KernelOrigin> origins) {
  std::string foreign;
  std::set<std::string_view> trees;
  std::size_t cuda = 0, cpu = 0;
  for (const KernelOrigin& origin : origins) {
    const std::string_view implementation = origin.implementation;
    cuda += is_of(origin, "kernels/cuda") ? 1 : 0;
    cpu += is_of(origin, "kernels/cpu") ? 1 : 0;
    if (implementation.starts_with("//kernels/")) continue;
    const std::string_view package = implementation.substr(2, implementation.find(':') - 2);
    trees.insert(package.substr(0, package.find('/')));
    foreign += text(foreign.empty() ? "" : ", ", origin.operation, " of ", package);
  }
  if (foreign.empty() && cuda == 0) return "";
  // What is composed of other operations has no kernels of its own.
  const bool others = cuda + cpu > 0;
  if (!others && trees.size() == 1) return text("Kernels: all of the ", *trees.begin(), " set.");
  if (!others) return text("Kernels: ", foreign, ".");
  const char* const sets = cuda == 0 ? "cpu set" : cpu == 0 ? "cuda set" : "sets cpu and cuda";
  return text("Kernels: ", foreign, foreign.empty() ? "all" : "; all others", " of the ", sets,
              ".");
}

bool adamw_looks_at_the_norm(std::span<const KernelOrigin> origins) {
  for (const KernelOrigin& origin : origins) {
    if (std::string_view(origin.operation) == "adamw") return is_of(origin, "kernels/cuda");
  }
  return false;
}

void refuse_what_kernels_lack(const ModelConfig& model) {
  const std::string refusal = training_pass_supports(model);
  if (refusal.empty()) return;
  std::string way_out;
  if (training_pass_supports(model.plain()).empty()) {
    way_out = text("; give", model.precision != Precision::fp32 ? " --precision fp32" : "",
                   model.recompute ? " --keep-activations" : "");
    const bool tuned = std::any_of(
        kernel_origins().begin(), kernel_origins().end(), [](const KernelOrigin& origin) {
          return origin.operation == "training_pass" && is_of(origin, "kernels/cuda");
        });
    if (!tuned) way_out += ", or take the cuda set by --kernels cuda (on a card by --device gpu)";
  }
  throw Error("this kernel set cannot train that model: " + refusal + way_out);
}

}  // namespace andrea
