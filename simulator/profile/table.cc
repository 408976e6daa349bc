#include "simulator/profile/table.h"

#include <algorithm>

#include "simulator/profile/advice.h"
#include "simulator/profile/profile.h"
#include "simulator/profile/text.h"
#include "simulator/runtime/terminal_text.h"

namespace simulator {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kLines = 8;   // of source, for each kernel
constexpr std::size_t kAdvice = 4;  // sentences, for each kernel

constexpr const char* kIntroduction =
    "Profile: what the kernels ask of a GPU's memory, counted. There are no times: the simulator's "
    "own are not a GPU's. A request is one instruction of one warp; each costs so many sectors of "
    "32 "
    "bytes, or wavefronts of shared memory, and least is what would do.";

struct Style {
  const char* bold = "";
  const char* warning = "";
  const char* dim = "";
  const char* plain = "";
};

std::string left(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

// The end of a path says more than its beginning.
std::string cut_path(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : "..." + text.substr(text.size() - width + 3);
}

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first);
}

std::string row(const std::string& name, const std::string& requests, const std::string& each,
                const std::string& unit, const std::string& least, const std::string& lanes,
                const std::string& share) {
  std::string text = "  " + left(name, 19) + right(requests, 15) + right(each, 8) + ' ' +
                     left(unit, 10) + right(least, 7) + right(lanes, 7) + right(share, 10);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

std::string row(const std::string& name, AccessKind kind, const AccessCounters& counters,
                std::uint64_t all) {
  const bool costs = !text::unit(kind).empty();
  return row(name, text::number(counters.requests),
             costs ? text::fixed(text::per_request(kind, counters), 2) : "", text::unit(kind),
             costs ? text::fixed(text::least_per_request(kind, counters), 2) : "",
             text::fixed(text::lanes_per_request(counters), 1),
             all > 0 && costs
                 ? text::percent(static_cast<double>(cost(counters)) / static_cast<double>(all))
                 : "");
}

std::string headline(const KernelCounters& kernel, const Style& style) {
  const std::string launch =
      kernel.launches == 1 ? "1 launch" : text::number(kernel.launches) + " launches, the largest";
  return style.bold + cut(kernel.name, kWidth) + style.plain + '\n' +
         wrapped(launch + " of " +
                     text::counted(std::uint64_t{kernel.grid.x} * kernel.grid.y * kernel.grid.z,
                                   "block") +
                     " (" + text::size(kernel.grid) + ") of " +
                     text::counted(std::uint64_t{kernel.block.x} * kernel.block.y * kernel.block.z,
                                   "thread") +
                     " (" + text::size(kernel.block) + ')' +
                     (kernel.shared_bytes > 0
                          ? ", " + text::bytes(kernel.shared_bytes) + " of shared memory"
                          : ""),
                 "  ", kWidth);
}

std::string advice_lines(const KernelCounters& kernel, const Style& style) {
  const std::vector<Advice> all = advice(kernel);
  if (all.empty()) return "  Nothing stands out: its memory accesses waste little.\n";
  std::string text;
  for (std::size_t i = 0; i < std::min(kAdvice, all.size()); ++i) {
    std::string sentence = wrapped(all[i].sentence, "    ", kWidth);
    sentence.replace(0, 4, i == 0 ? "  ! " : "  - ");
    text += i == 0 ? style.warning + sentence + style.plain : sentence;
    text += wrapped(all[i].cure, "    ", kWidth);
  }
  return text;
}

std::string moved(const KernelCounters& kernel) {
  const std::uint64_t least = kernel.least_bytes_moved();
  if (least == 0) return "";
  const double times = static_cast<double>(kernel.bytes_moved()) / static_cast<double>(least);
  return "  bytes moved        " + text::bytes(kernel.bytes_moved()) + ", " +
         text::fixed(times, 2) + " times the least: " + text::bytes(least) + '\n';
}

std::string others(const KernelCounters& kernel) {
  std::string text =
      "  occupancy          " + text::percent(kernel.occupancy) + " of a multiprocessor's warps: " +
      text::counted(static_cast<std::uint64_t>(kernel.resident_blocks), "block") + " at a time\n";
  if (kernel.barriers > 0) {
    text +=
        "  barriers           " + text::number(kernel.barriers) + " (" +
        text::fixed(static_cast<double>(kernel.barriers) / static_cast<double>(kernel.blocks), 1) +
        " a block)\n";
  }
  if (kernel.collectives > 0) {
    text += "  warp collectives   " + text::number(kernel.collectives) + '\n';
  }
  if (kernel.unfinished_launches > 0) {
    text += "  unfinished         " + text::counted(kernel.unfinished_launches, "launch") +
            ", counted as far as the fault\n";
  }
  if (kernel.ungrouped > 0) {
    text += wrapped(text::number(kernel.ungrouped) +
                        " accesses are in no number here: a thread made too many, in no order, "
                        "before its warp met.",
                    "  ", kWidth);
  }
  return text;
}

std::string lines(const KernelCounters& kernel, const Style& style) {
  const std::uint64_t all = cost(kernel);
  std::string text;
  std::vector<std::string> shown;
  for (const LineCounters& line : kernel.lines) {
    if (!worth_showing(line)) continue;
    const std::string place = text::place(line.file, line.line);
    if (std::find(shown.begin(), shown.end(), place) != shown.end()) continue;
    if (shown.size() == kLines) {
      text += "  ... and other lines that cost less\n";
      break;
    }
    shown.push_back(place);
    const std::vector<std::string> source = lines_of_file(line.file, line.line, line.line);
    text += "  " + (style.bold + cut_path(place, kWidth - 2)) + style.plain + '\n';
    if (!source.empty()) {
      text += "    " + (style.dim + cut(trimmed(source.front()), kWidth - 4)) + style.plain + '\n';
    }
    for (const LineCounters& other : kernel.lines) {
      if (other.line != line.line || other.file != line.file || !worth_showing(other)) continue;
      text += row("  " + text::name(other.kind), other.kind, other.counters, all);
    }
  }
  return text;
}

}  // namespace

std::string profile_table(const std::vector<KernelCounters>& kernels, bool colours) {
  const Style style = colours ? Style{"\033[1m", "\033[1;33m", "\033[2m", "\033[0m"} : Style{};
  std::vector<const KernelCounters*> order;
  for (const KernelCounters& kernel : kernels) order.push_back(&kernel);
  std::stable_sort(
      order.begin(), order.end(),
      [](const KernelCounters* a, const KernelCounters* b) { return cost(*a) > cost(*b); });
  std::string text = '\n' + wrapped(kIntroduction, "", kWidth);
  if (kernels.empty()) text += "No kernel was launched.\n";
  for (const KernelCounters* const kernel : order) {
    text += '\n' + headline(*kernel, style) + advice_lines(*kernel, style) + '\n' + style.dim +
            row("", "requests", "each", "", "least", "lanes", "share") + style.plain;
    for (std::size_t i = 0; i < kAccessKinds; ++i) {
      const AccessCounters& counters = kernel->accesses[i];
      const auto kind = static_cast<AccessKind>(i);
      if (counters.requests > 0) text += row(text::name(kind), kind, counters, cost(*kernel));
    }
    text += moved(*kernel) + others(*kernel) + '\n' + lines(*kernel, style);
  }
  return text;
}

}  // namespace simulator
