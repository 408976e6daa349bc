#include "tools/course/grader/likeness/likeness.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tools/course/grader/likeness/fingerprints.h"
#include "tools/course/grader/likeness/own_tokens.h"
#include "tools/course/stub.h"

namespace andrea::grader {
namespace {

using Tokens = std::vector<OwnToken>;

// Two runs of tokens that are the same.
struct Match {
  int first = 0, second = 0;
};

int count_tokens(const Tokens& tokens) {
  return static_cast<int>(std::count_if(tokens.begin(), tokens.end(),
                                        [](const OwnToken& token) { return token.kind != kGap; }));
}

// Runs that follow each other closely in both texts are one fragment.
std::vector<Fragment> fragments_of(const Tokens& a, const Tokens& b, std::vector<Match> matches,
                                   int& tokens, int& same) {
  std::sort(matches.begin(), matches.end(),
            [](const Match& x, const Match& y) { return x.first < y.first; });
  std::vector<Fragment> fragments;
  std::set<int> counted;
  tokens = same = 0;
  const auto token = [](const Tokens& of, int i) -> const OwnToken& {
    return of[static_cast<std::size_t>(i)];
  };
  int last_first = -1, last_second = -1;
  for (const Match& match : matches) {
    int fresh = 0;
    for (int i = 0; i < kRun; ++i) {
      if (!counted.insert(match.first + i).second) continue;
      ++fresh;
      same += token(a, match.first + i).text == token(b, match.second + i).text;
    }
    tokens += fresh;
    const bool goes_on = !fragments.empty() && match.first <= last_first + kRun + kWindow &&
                         match.second > last_second && match.second <= last_second + kRun + kWindow;
    if (!goes_on) {
      fragments.push_back({token(a, match.first).line, 0, token(b, match.second).line, 0, 0});
    }
    fragments.back().last_line = token(a, match.first + kRun - 1).line;
    fragments.back().other_last_line = token(b, match.second + kRun - 1).line;
    fragments.back().tokens += fresh;
    last_first = match.first;
    last_second = match.second;
  }
  std::stable_sort(fragments.begin(), fragments.end(),
                   [](const Fragment& x, const Fragment& y) { return x.tokens > y.tokens; });
  return fragments;
}

// `tokens`: what each of the works has of its own.
std::vector<Likeness> alike(const std::vector<Work>& works, const std::vector<Tokens>& tokens,
                            const std::string& stub, Compared what) {
  const std::set<std::uint64_t> known = all_runs(stub, what);
  std::map<std::uint64_t, std::map<std::size_t, int>> where;  // a hash: work, first token
  std::size_t size_of_class = 0;
  for (std::size_t i = 0; i < works.size(); ++i) {
    size_of_class += works[i].of_the_class;
    for (const Fingerprint& print : fingerprints(tokens[i], known, what)) {
      where[print.hash].emplace(i, print.first);
    }
  }

  const std::size_t at_most = std::max<std::size_t>(3, size_of_class / 10);
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Match>> pairs;
  for (const auto& [hash, places] : where) {
    const auto of_class = static_cast<std::size_t>(
        std::count_if(places.begin(), places.end(),
                      [&](const auto& place) { return works[place.first].of_the_class; }));
    if (of_class > at_most) continue;
    for (auto one = places.begin(); one != places.end(); ++one) {
      for (auto other = std::next(one); other != places.end(); ++other) {
        if (!works[one->first].of_the_class && !works[other->first].of_the_class) continue;
        pairs[{one->first, other->first}].push_back({one->second, other->second});
      }
    }
  }

  std::vector<Likeness> found;
  for (const auto& [pair, matches] : pairs) {
    Likeness one;
    one.first = pair.first;
    one.second = pair.second;
    int same = 0;
    const Tokens& first = tokens[pair.first];
    const Tokens& second = tokens[pair.second];
    one.fragments = fragments_of(first, second, matches, one.tokens, same);
    const int least = std::min(count_tokens(first), count_tokens(second));
    one.share = least == 0 ? 0 : std::min(1.0, static_cast<double>(one.tokens) / least);
    one.same_names = one.tokens == 0 ? 0 : static_cast<double>(same) / one.tokens;
    if (one.tokens >= kFewestTokens && one.share >= kLeastShare) found.push_back(std::move(one));
  }
  return found;
}

}  // namespace

std::vector<Likeness> likenesses(const std::vector<Work>& works, const std::string& stub) {
  std::vector<Tokens> tokens;
  for (const Work& work : works) tokens.push_back(own_tokens(work.text, stub));
  std::map<std::pair<std::size_t, std::size_t>, Likeness> pairs;
  for (const Compared what : {Compared::form, Compared::letter}) {
    for (Likeness& one : alike(works, tokens, stub, what)) {
      Likeness& known = pairs[{one.first, one.second}];
      if (one.tokens > known.tokens) known = std::move(one);
    }
  }
  std::vector<Likeness> found;
  for (auto& [pair, one] : pairs) found.push_back(std::move(one));
  std::stable_sort(found.begin(), found.end(), [](const Likeness& x, const Likeness& y) {
    return x.share + x.same_names > y.share + y.same_names;
  });
  return found;
}

std::vector<std::string> too_short_to_tell(const std::string& solution, const std::string& file) {
  std::map<std::string, int> tokens;
  const std::vector<course::Region> regions = course::regions_of(solution, file);
  for (const course::Region& region : regions) tokens[region.exercise] += 0;
  for (const OwnToken& token : own_tokens(solution, "")) {
    for (const course::Region& region : regions) {
      if (token.line > region.first_line && token.line < region.last_line)
        ++tokens[region.exercise];
    }
  }
  std::vector<std::string> too_short;
  for (const auto& [exercise, count] : tokens) {
    if (count < 2 * kFewestTokens) too_short.push_back(exercise);
  }
  return too_short;
}

}  // namespace andrea::grader
