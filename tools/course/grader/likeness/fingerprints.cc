#include "tools/course/grader/likeness/fingerprints.h"

#include <algorithm>

namespace andrea::grader {
namespace {

std::vector<Fingerprint> runs_of(const std::vector<OwnToken>& tokens, Compared what) {
  std::vector<Fingerprint> runs;
  int since_gap = 0;
  for (int end = 0; end < static_cast<int>(tokens.size()); ++end) {
    since_gap = tokens[static_cast<std::size_t>(end)].kind == kGap ? 0 : since_gap + 1;
    if (since_gap < kRun) continue;
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a
    for (int i = end - kRun + 1; i <= end; ++i) {
      const OwnToken& token = tokens[static_cast<std::size_t>(i)];
      for (const char byte : (what == Compared::form ? token.kind : token.text) + " ") {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
      }
    }
    runs.push_back({hash, end - kRun + 1});
  }
  return runs;
}

}  // namespace

std::vector<Fingerprint> fingerprints(const std::vector<OwnToken>& tokens,
                                      const std::set<std::uint64_t>& known, Compared what) {
  std::vector<Fingerprint> runs = runs_of(tokens, what);
  runs.erase(std::remove_if(runs.begin(), runs.end(),
                            [&](const Fingerprint& run) { return known.count(run.hash) > 0; }),
             runs.end());
  std::vector<Fingerprint> kept;
  const std::size_t window = std::min<std::size_t>(kWindow, runs.size());
  for (std::size_t begin = 0; window > 0 && begin + window <= runs.size(); ++begin) {
    // The rightmost of the least ones, so that neighbouring windows choose the same.
    std::size_t least = begin;
    for (std::size_t i = begin; i < begin + window; ++i) {
      if (runs[i].hash <= runs[least].hash) least = i;
    }
    if (kept.empty() || kept.back().first != runs[least].first) kept.push_back(runs[least]);
  }
  return kept;
}

std::set<std::uint64_t> all_runs(const std::string& text, Compared what) {
  std::set<std::uint64_t> hashes;
  for (const Fingerprint& run : runs_of(own_tokens(text, ""), what)) hashes.insert(run.hash);
  return hashes;
}

}  // namespace andrea::grader
