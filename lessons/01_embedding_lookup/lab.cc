// Lab 01: do words that are used alike come close?
//
//   bazel run //lessons/01_embedding_lookup:lab -- $PWD/similarity.svg
//
// A table of word vectors is trained on the built-in stories to guess the words around a word: the
// word's row, times a second table (dot products, lesson 02), gives a score for each word that
// there is. Then the cosines between the rows of a few words are compared, before and after. Before
// you run it, write down which pairs you expect to be close, and how close.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "kernels/adamw.h"
#include "kernels/cross_entropy.h"
#include "kernels/dot_similarity.h"
#include "kernels/embedding.h"
#include "trainer/stories/stories.h"

namespace andrea {
namespace {

constexpr int kStories = 4000;
constexpr int kWidth = 32;    // C
constexpr int kPairs = 4096;  // N, of a step
constexpr int kSteps = 300;
constexpr int kReach = 2;  // words to the left and to the right

// Three kinds of animal, then days, instruments and colours: within a group words may stand for
// each other in a story, between groups hardly.
const std::vector<std::string> kChosen = {"cat",     "dog",    "rabbit",    "Monday",
                                          "Tuesday", "Friday", "xylophone", "drum",
                                          "flute",   "red",    "green",     "blue"};
constexpr int kGroup = 3;

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char letter : text) {
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0) {
      words.back() += letter;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// The stories as ids, in the order in which the words first appear.
struct Text {
  std::map<std::string, int> ids;
  std::vector<std::vector<int>> stories;

  Text() {
    for (int index = 0; index < kStories; ++index) {
      stories.emplace_back();
      for (const std::string& word : words_of(generate_story(1, index).text)) {
        stories.back().push_back(ids.emplace(word, static_cast<int>(ids.size())).first->second);
      }
    }
  }
};

// The two tables in one buffer, and what AdamW keeps for them.
class Tables {
 public:
  Tables(int V, std::mt19937& generator)
      : V_(V),
        parameters_(2 * size()),
        gradients_(2 * size()),
        first_(2 * size()),
        second_(2 * size()) {
    std::normal_distribution<float> normal(0, 0.02f);
    for (float& number : parameters_) number = normal(generator);
  }

  // One step towards guessing `targets` from `tokens`. Returns the mean loss.
  double step(const std::vector<int>& tokens, const std::vector<int>& targets) {
    constexpr int N = kPairs, C = kWidth;
    const Launch launch;
    const float* const around = parameters_.data() + size();
    x_.resize(std::size_t{N} * C);
    dx_.resize(x_.size());
    logits_.resize(static_cast<std::size_t>(N) * static_cast<std::size_t>(V_));
    losses_.resize(N);
    embedding_forward(tokens.data(), parameters_.data(), nullptr, x_.data(), N, 1, C, launch);
    dot_similarity_forward(x_.data(), around, logits_.data(), N, V_, C, V_, launch);
    cross_entropy_forward_backward(logits_.data(), targets.data(), losses_.data(), 1.0f / N, N, V_,
                                   V_, launch);
    dot_similarity_backward(logits_.data(), x_.data(), around, dx_.data(),
                            gradients_.data() + size(), N, V_, C, V_, Accumulate::overwrite,
                            launch);
    embedding_backward(dx_.data(), tokens.data(), gradients_.data(), nullptr, N, 1, C, V_,
                       Accumulate::overwrite, launch);
    scalars_.learning_rate = 0.01f;
    adamw(parameters_.data(), gradients_.data(), first_.data(), second_.data(),
          static_cast<std::int64_t>(parameters_.size()), 0, AdamWOptions{}, &scalars_, launch);
    ++scalars_.step;
    double sum = 0;
    for (const float loss : losses_) sum += static_cast<double>(loss);
    return sum / N;
  }

  double cosine(int a, int b) const { return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b)); }

 private:
  std::size_t size() const { return static_cast<std::size_t>(V_) * kWidth; }
  double dot(int a, int b) const {
    double sum = 0;
    for (int c = 0; c < kWidth; ++c) {
      sum += static_cast<double>(parameters_[static_cast<std::size_t>(a * kWidth + c)]) *
             static_cast<double>(parameters_[static_cast<std::size_t>(b * kWidth + c)]);
    }
    return sum;
  }

  int V_;
  std::vector<float> parameters_, gradients_, first_, second_;
  std::vector<float> x_, dx_, logits_, losses_;
  StepScalars scalars_;
};

using Map = std::vector<std::vector<double>>;  // the cosine of each two chosen words

Map map_of(const Tables& tables, const std::vector<int>& chosen) {
  Map map;
  for (const int a : chosen) {
    map.emplace_back();
    for (const int b : chosen) map.back().push_back(tables.cosine(a, b));
  }
  return map;
}

// The mean over different words, of one group or of two.
double mean_cosine(const Map& map, bool within) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < map.size(); ++i) {
    for (std::size_t j = 0; j < map.size(); ++j) {
      if (i == j || (i / kGroup == j / kGroup) != within) continue;
      sum += map[i][j];
      ++count;
    }
  }
  return sum / count;
}

void print_nearest(const Text& text, const Tables& tables, const std::string& word) {
  const int id = text.ids.at(word);
  std::vector<std::pair<double, std::string>> others;
  for (const auto& [other, other_id] : text.ids) {
    if (other_id != id) others.emplace_back(tables.cosine(id, other_id), other);
  }
  std::partial_sort(others.begin(), others.begin() + 5, others.end(), std::greater<>());
  std::printf("  %-10s", word.c_str());
  for (int i = 0; i < 5; ++i) {
    const auto& [cosine, other] = others[static_cast<std::size_t>(i)];
    std::printf("  %s %.2f", other.c_str(), cosine);
  }
  std::printf("\n");
}

// A square for each pair, the darker the larger the cosine, which is written in it too.
std::string drawing_of(const Map& map, const std::string& title, int left) {
  std::string svg = "<text x='" + std::to_string(left + 80) + "' y='20'>" + title + "</text>\n";
  for (std::size_t i = 0; i < map.size(); ++i) {
    const int y = 40 + static_cast<int>(i) * 28;
    svg += "<text x='" + std::to_string(left + 72) + "' y='" + std::to_string(y + 18) +
           "' text-anchor='end'>" + kChosen[i] + "</text>\n";
    for (std::size_t j = 0; j < map.size(); ++j) {
      const int x = left + 80 + static_cast<int>(j) * 34;
      char cell[320];
      std::snprintf(cell, sizeof cell,
                    "<rect x='%d' y='%d' width='34' height='28' fill-opacity='%.2f'/>"
                    "<text class='s' x='%d' y='%d' text-anchor='middle'>%.2f</text>\n",
                    x, y, 0.6 * std::max(0.0, map[i][j]), x + 17, y + 18, map[i][j]);
      svg += cell;
    }
  }
  return svg;
}

void write_svg(const std::string& path, const Map& before, const Map& after) {
  std::ofstream file(path);
  file << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1010 390' role='img'>\n"
       << "<title>Cosines between word vectors, before and after training</title>\n"
       << "<style>text{font:13px sans-serif;fill:#222}.s{font-size:11px}rect{fill:#1f77b4}"
       << "@media(prefers-color-scheme:dark){text{fill:#eee}}</style>\n"
       << drawing_of(before, "before training", 0) << drawing_of(after, "after training", 505)
       << "</svg>\n";
  std::printf("\n%s %s\n", file ? "The map is in" : "Could not write", path.c_str());
}

void run(const std::string& path) {
  const Text text;
  std::mt19937 generator(1);
  const int V = static_cast<int>(text.ids.size());
  Tables tables(V, generator);
  std::printf("%d stories, %d different words, width %d\n\n", kStories, V, kWidth);

  std::vector<int> chosen;
  for (const std::string& word : kChosen) chosen.push_back(text.ids.at(word));
  const Map before = map_of(tables, chosen);

  std::vector<int> tokens(kPairs), targets(kPairs);
  const auto random = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(generator);
  };
  for (int step = 0; step < kSteps; ++step) {
    for (std::size_t n = 0; n < tokens.size(); ++n) {
      const std::vector<int>& story = text.stories[random(text.stories.size())];
      const std::size_t at = kReach + random(story.size() - 2 * kReach);
      const std::size_t shift = random(2 * kReach);
      tokens[n] = story[at];
      targets[n] = story[at - kReach + shift + (shift >= kReach ? 1 : 0)];
    }
    const double loss = tables.step(tokens, targets);
    if (step % 50 == 0 || step == kSteps - 1) std::printf("step %3d  loss %.3f\n", step, loss);
  }

  const Map after = map_of(tables, chosen);
  std::printf("\nmean cosine              before   after\n");
  for (const bool within : {true, false}) {
    std::printf("  %-20s  %+.3f  %+.3f\n", within ? "of one group" : "of two groups",
                mean_cosine(before, within), mean_cosine(after, within));
  }
  std::printf("\nnearest of all words, after\n");
  for (std::size_t i = 0; i < kChosen.size(); i += kGroup) print_nearest(text, tables, kChosen[i]);
  write_svg(path, before, after);
}

}  // namespace
}  // namespace andrea

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: lab FILE.svg\n");
    return 2;
  }
  andrea::run(argv[1]);
  return 0;
}
