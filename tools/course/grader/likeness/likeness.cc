#include "tools/course/grader/likeness/likeness.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "tools/course/grader/likeness/fingerprints.h"
#include "tools/course/grader/likeness/own_tokens.h"
#include "tools/course/stub.h"

namespace andrea::grader {
namespace {

struct Prints {
  std::vector<OwnToken> tokens;
  std::vector<Fingerprint> prints;
};

// Two runs of tokens that are the same.
struct Match {
  int first = 0, second = 0;
};

int count_tokens(const std::vector<OwnToken>& tokens) {
  return static_cast<int>(std::count_if(tokens.begin(), tokens.end(),
                                        [](const OwnToken& token) { return token.kind != kGap; }));
}

// Runs that follow each other closely in both texts are one fragment.
std::vector<Fragment> fragments_of(const Prints& a, const Prints& b, std::vector<Match> matches,
                                   int& tokens, int& same) {
  std::sort(matches.begin(), matches.end(),
            [](const Match& x, const Match& y) { return x.first < y.first; });
  std::vector<Fragment> fragments;
  std::set<int> counted;
  tokens = same = 0;
  const auto token = [](const Prints& of, int i) { return of.tokens[static_cast<std::size_t>(i)]; };
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

std::vector<Likeness> alike(const std::vector<Work>& works, const std::string& stub,
                            Compared what) {
  const std::set<std::uint64_t> known = all_runs(stub, what);
  std::vector<Prints> all(works.size());
  std::map<std::uint64_t, std::map<std::size_t, int>> where;  // a hash: work, first token
  std::size_t size_of_class = 0;
  for (std::size_t i = 0; i < works.size(); ++i) {
    size_of_class += works[i].of_the_class;
    all[i].tokens = own_tokens(works[i].text, stub);
    all[i].prints = fingerprints(all[i].tokens, known, what);
    for (const Fingerprint& print : all[i].prints) where[print.hash].emplace(i, print.first);
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
    one.fragments = fragments_of(all[pair.first], all[pair.second], matches, one.tokens, same);
    const int least =
        std::min(count_tokens(all[pair.first].tokens), count_tokens(all[pair.second].tokens));
    one.share = least == 0 ? 0 : std::min(1.0, static_cast<double>(one.tokens) / least);
    one.same_names = one.tokens == 0 ? 0 : static_cast<double>(same) / one.tokens;
    if (one.tokens >= kFewestTokens && one.share >= kLeastShare) found.push_back(std::move(one));
  }
  return found;
}

}  // namespace

std::vector<Likeness> likenesses(const std::vector<Work>& works, const std::string& stub) {
  std::map<std::pair<std::size_t, std::size_t>, Likeness> pairs;
  for (const Compared what : {Compared::form, Compared::letter}) {
    for (Likeness& one : alike(works, stub, what)) {
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
