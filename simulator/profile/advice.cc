#include "simulator/profile/advice.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "simulator/profile/profile.h"
#include "simulator/profile/text.h"
#include "simulator/runtime/device.h"

namespace simulator {
namespace {

constexpr std::int64_t kBankBytes = 4;
constexpr std::int64_t kBanks = 32;

// What is less than a twentieth of the kernel is not worth a sentence.
bool matters(std::uint64_t waste, std::uint64_t all) { return waste > 0 && waste * 20 >= all; }

bool is_shared(AccessKind kind) {
  return kind == AccessKind::shared_load || kind == AccessKind::shared_store ||
         kind == AccessKind::shared_atomic;
}

bool is_atomic(AccessKind kind) {
  return kind == AccessKind::global_atomic || kind == AccessKind::shared_atomic;
}

std::string verb(AccessKind kind) {
  if (is_atomic(kind)) return "updates";
  return kind == AccessKind::global_load || kind == AccessKind::shared_load ? "reads" : "writes";
}

std::string plural_verb(AccessKind kind) {
  const std::string one = verb(kind);
  return one.substr(0, one.size() - 1);
}

// The last part of the path is enough in a sentence.
std::string place_of(const LineCounters& line) {
  return text::place(line.file.substr(line.file.rfind('/') + 1), line.line);
}

std::string apart(const LineCounters& line) {
  return text::counted(static_cast<std::uint64_t>(std::llabs(*line.stride)), "byte") + " apart";
}

void add_sectors(const KernelCounters& kernel, const LineCounters& line, std::vector<Advice>* all) {
  const AccessCounters& c = line.counters;
  // Lanes next to each other that use what lies next to it, but not all lanes: divergence tells it.
  const bool in_order = line.stride && std::llabs(*line.stride) == line.bytes;
  if (in_order && divergent(c)) return;
  // Most want one address: it is not their order that is at fault.
  if (line.stride && *line.stride == 0) return;
  if (c.sectors * 4 <= c.least_sectors * 5 || !matters(c.sectors - c.least_sectors, cost(kernel))) {
    return;
  }
  Advice advice;
  advice.line = place_of(line);
  advice.waste = c.sectors - c.least_sectors;
  advice.sentence = place_of(line) + ' ' + verb(line.kind) + ' ' +
                    text::fixed(text::per_request(line.kind, c), 2) + " sectors a request where " +
                    text::fixed(text::least_per_request(line.kind, c), 2) + " would do: ";
  if (!line.stride) {
    advice.sentence += "the addresses of a warp's threads are scattered.";
    advice.cure =
        "Sort or group the work so that threads next to each other use data next to each other, or "
        "bring it into shared memory in order and scatter there.";
  } else if (in_order) {
    advice.sentence += "the warp's addresses do not begin at a multiple of 32 bytes.";
    advice.cure =
        "Round the length of a row up (cudaMallocPitch does), so that each begins a sector.";
  } else {
    advice.sentence +=
        "neighbouring threads " + plural_verb(line.kind) + " addresses " + apart(line) + '.';
    advice.cure =
        "Let threads whose threadIdx.x differ by one use elements that are next to each other. "
        "Where "
        "one of two sides must go by columns, turn a tile round in shared memory.";
  }
  all->push_back(advice);
}

void add_banks(const KernelCounters& kernel, const LineCounters& line, std::vector<Advice>* all) {
  const AccessCounters& c = line.counters;
  if (c.wavefronts * 4 <= c.least_wavefronts * 5 || is_atomic(line.kind) ||
      !matters(c.wavefronts - c.least_wavefronts, cost(kernel))) {
    return;
  }
  Advice advice;
  advice.line = place_of(line);
  advice.waste = c.wavefronts - c.least_wavefronts;
  advice.sentence = place_of(line) + " takes " + text::fixed(text::per_request(line.kind, c), 2) +
                    " wavefronts a request where " +
                    text::fixed(text::least_per_request(line.kind, c), 2) + " would do: ";
  if (!line.stride || *line.stride == 0 || *line.stride % kBankBytes != 0) {
    advice.sentence += "different words that a warp wants lie in one bank of shared memory.";
  } else {
    const std::int64_t words = std::llabs(*line.stride) / kBankBytes;
    const std::int64_t banks = kBanks / std::gcd(kBanks, words);
    advice.sentence += "neighbouring threads " + plural_verb(line.kind) + " words " +
                       std::to_string(words) + " apart, which lie in " +
                       (banks == 1 ? "one bank" : std::to_string(banks) + " of the 32 banks") +
                       " of shared memory.";
  }
  advice.cure =
      "Pad each row by one element (tile[32][33] in the place of tile[32][32]), or swizzle the "
      "column, so that a column of the array spreads over all banks.";
  all->push_back(advice);
}

void add_turns(const LineCounters& line, std::uint64_t requests, std::vector<Advice>* all) {
  const AccessCounters& c = line.counters;
  if (c.turns < 2 * c.requests || !matters(c.turns - c.requests, requests)) return;
  const double threads = static_cast<double>(c.turns) / static_cast<double>(c.requests);
  all->push_back({place_of(line) + " has " + text::fixed(threads, 1) +
                      " threads of a warp do an atomic on one address at once; they take turns.",
                  "Sum within the warp first (__shfl_down_sync), then within the block in shared "
                  "memory, and let one thread do the atomic.",
                  c.turns - c.requests, place_of(line)});
}

void add_divergence(const KernelCounters& kernel, const LineCounters& line,
                    std::vector<Advice>* all) {
  const AccessCounters& c = line.counters;
  if (line.kind != AccessKind::execution || !divergent(c)) return;
  if (c.lanes == c.requests) return;  // one thread that does something for all is no mistake
  const std::uint64_t waste = (c.warp_lanes - c.lanes + 31) / 32;
  if (!matters(waste, kernel.of(AccessKind::execution).requests)) return;
  all->push_back(
      {place_of(line) + " is executed by " + text::fixed(text::lanes_per_request(c), 1) +
           " of a warp's " +
           text::fixed(static_cast<double>(c.warp_lanes) / static_cast<double>(c.requests), 1) +
           " threads, on average; the others wait for them.",
       "Let a condition be the same for all 32 threads of a warp (threadIdx.x < 32 rather than "
       "threadIdx.x % 2), and give threads of one warp loops of one length.",
       waste, place_of(line)});
}

void add_local(const LineCounters& line, std::uint64_t requests, std::vector<Advice>* all) {
  constexpr std::size_t kArray = 16;  // bytes; less may be a single value
  if (line.kind != AccessKind::local || line.local_bytes < kArray) return;
  if (!matters(line.counters.requests, requests)) return;
  all->push_back({place_of(line) + " goes through " + text::counted(line.local_bytes, "byte") +
                      " of a local array, which lies in memory, not in registers.",
                  "An array stays in registers only if the compiler knows every index: unroll the "
                  "loops over it (#pragma unroll) and let the functions that take it be inlined. "
                  "nvcc -Xptxas -v tells what became of it.",
                  line.counters.requests, place_of(line)});
}

void add_moved(const KernelCounters& kernel, std::vector<Advice>* all) {
  const std::uint64_t asked = kernel.of(AccessKind::global_load).least_sectors;
  const std::uint64_t distinct = kernel.distinct_sectors_read;
  if (distinct == 0 || asked < 3 * distinct || !matters(asked - distinct, cost(kernel))) return;
  const bool tiled = kernel.of(AccessKind::shared_load).requests > 0;
  const double times = static_cast<double>(kernel.of(AccessKind::global_load).sectors) /
                       static_cast<double>(distinct);
  all->push_back(
      {"It asks for each sector that it reads " + text::fixed(times, 1) +
           " times on average: " + text::bytes(kernel.bytes_moved()) + " move where " +
           text::bytes(kernel.least_bytes_moved()) + " would if each sector moved once.",
       tiled ? "It uses shared memory already: a larger tile, or several results a thread, held in "
               "registers, would ask less often. Caches catch a part of it."
             : "Read what several threads of a block need once, into shared memory (a tile), and "
               "take "
               "it from there. Caches catch a part of it.",
       asked - distinct, ""});
}

void add_launch(const KernelCounters& kernel, std::vector<Advice>* all) {
  const Gpu& device = gpu();
  const std::uint64_t threads = std::uint64_t{kernel.block.x} * kernel.block.y * kernel.block.z;
  const std::uint64_t blocks = std::uint64_t{kernel.grid.x} * kernel.grid.y * kernel.grid.z;
  const std::uint64_t warps = (threads + device.warp_size - 1) / device.warp_size;
  const std::uint64_t lanes = warps * device.warp_size;
  if ((lanes - threads) * 8 >= lanes) {
    all->push_back({"A block of " + text::counted(threads, "thread") + " takes " +
                        text::counted(warps, "warp") + ", of whose " + text::number(lanes) +
                        " lanes " + text::number(lanes - threads) + " have no thread.",
                    "Use a multiple of 32 threads in a block.",
                    cost(kernel) * (lanes - threads) / lanes, ""});
  }
  if (blocks < static_cast<std::uint64_t>(device.multiprocessors)) {
    all->push_back({"The largest launch has " + text::counted(blocks, "block") +
                        ", work for as many multiprocessors: this GPU has " +
                        std::to_string(device.multiprocessors) +
                        ", a large one more than a hundred.",
                    "Split the work into more blocks, if there is enough of it.", 0, ""});
  } else if (kernel.occupancy < 0.5) {
    const bool shared =
        resident_blocks(device, static_cast<unsigned>(threads), 0) > kernel.resident_blocks;
    all->push_back(
        {"A multiprocessor holds " + text::percent(kernel.occupancy) +
             " of the warps that it could: " +
             text::counted(static_cast<std::uint64_t>(kernel.resident_blocks), "block") + " of " +
             text::counted(threads, "thread") +
             (shared ? " and " + text::bytes(kernel.shared_bytes) + " of shared memory." : "."),
         shared ? "Use less shared memory a block, or more threads with the same memory."
                : "Use more threads in a block: the number of blocks is limited too.",
         0, ""});
  }
}

}  // namespace

std::vector<Advice> advice(const KernelCounters& kernel) {
  std::uint64_t requests = 0;
  for (const AccessCounters& counters : kernel.accesses) requests += counters.requests;
  requests -= kernel.of(AccessKind::execution).requests;
  std::vector<Advice> all;
  for (const LineCounters& line : kernel.lines) {
    if (is_shared(line.kind)) {
      add_banks(kernel, line, &all);
    } else {
      add_sectors(kernel, line, &all);
    }
    if (is_atomic(line.kind)) add_turns(line, requests, &all);
    add_divergence(kernel, line, &all);
    add_local(line, requests, &all);
  }
  add_moved(kernel, &all);
  add_launch(kernel, &all);
  std::stable_sort(all.begin(), all.end(),
                   [](const Advice& a, const Advice& b) { return a.waste > b.waste; });
  // A line that both reads and writes in one bad way is told of once.
  std::vector<Advice> once;
  for (Advice& one : all) {
    const bool told = std::any_of(once.begin(), once.end(), [&](const Advice& other) {
      return other.line == one.line && other.cure == one.cure;
    });
    if (!told) once.push_back(std::move(one));
  }
  return once;
}

}  // namespace simulator
