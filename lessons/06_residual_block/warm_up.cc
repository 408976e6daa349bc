// Does post-norm need a warm-up? The claim: it trains badly without, and pre-norm does not.
//
//   bazel run //lessons/06_residual_block:warm_up -- "$PWD/warm_up.svg"
//
// Models of 12 blocks that are alike but for the place of the norm learn to foretell the letters of
// the built-in stories (the loss and AdamW are lesson 07's): with the learning rate the same from
// the first step on, and with one that rises from 0 over the first hundred. Each from several
// starts, at two learning rates. It takes some two minutes. Before you run it, write down which of
// the eight you expect to fail.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "lessons/06_residual_block/placed_norms_model.h"
#include "lessons/formatted.h"
#include "trainer/stories/stories.h"

namespace andrea {
namespace {

constexpr int kStories = 2000;
constexpr int kBatch = 8;
constexpr int kSteps = 400;
constexpr int kWarmUp = 100;  // steps
constexpr int kWindow = 10;   // steps that a point of a curve is the mean of
constexpr int kPoints = kSteps / kWindow;
constexpr unsigned kStarts = 3;
constexpr std::array<double, 2> kRates = {0.003, 0.01};
// ANDREA's deviation of 0.02 at width 768, made the same for sums of any number of terms.
constexpr double kSum = 0.554;

struct Kind {
  const char* name;
  NormPlacement norm;
  int warm_up;
  int legend;  // how far from the left it is named
};
constexpr std::array<Kind, 4> kKinds = {{{"pre-norm", NormPlacement::pre, 0, 8},
                                         {"pre, warm-up", NormPlacement::pre, kWarmUp, 130},
                                         {"post-norm", NormPlacement::post, 0, 280},
                                         {"post, warm-up", NormPlacement::post, kWarmUp, 410}}};

ModelConfig config_of(NormPlacement norm) {
  ModelConfig config;
  config.width = 32;
  config.heads = 4;
  config.mlp_width = 4 * config.width;
  config.vocabulary = 128;  // letters and signs, as bytes
  config.context = 32;
  config.norm = norm;
  return config;
}

// The letters of many stories, one behind the other.
std::vector<int> letters() {
  std::vector<int> all;
  for (int index = 0; index < kStories; ++index) {
    for (const char letter : generate_story(1, static_cast<std::uint64_t>(index)).text + "\n") {
      all.push_back(letter & 127);
    }
  }
  return all;
}

// The loss of one who knows how often each letter occurs, and nothing else: the entropy.
double loss_of_frequencies(const std::vector<int>& text) {
  std::array<double, 128> counts{};
  for (const int letter : text) ++counts[static_cast<std::size_t>(letter)];
  double loss = 0;
  for (const double count : counts) {
    const double share = count / static_cast<double>(text.size());
    if (share > 0) loss -= share * std::log(share);
  }
  return loss;
}

using Curve = std::array<double, kPoints>;

// The losses of one training. All kinds read the same windows of the text.
Curve trained(const Kind& kind, double rate, unsigned start, const std::vector<int>& text) {
  const ModelConfig config = config_of(kind.norm);
  PlacedNormsModel model(config, kBatch, kSum, start);
  std::mt19937_64 generator(start);
  std::uniform_int_distribution<std::ptrdiff_t> place(
      0, static_cast<std::ptrdiff_t>(text.size()) - config.context - 1);
  Curve curve{};
  for (int step = 1; step <= kSteps; ++step) {
    std::vector<int> tokens, targets;
    for (int b = 0; b < kBatch; ++b) {
      const auto at = text.begin() + place(generator);
      tokens.insert(tokens.end(), at, at + config.context);
      targets.insert(targets.end(), at + 1, at + 1 + config.context);
    }
    const double share = step < kind.warm_up ? static_cast<double>(step) / kind.warm_up : 1;
    const double loss = model.step(tokens, targets, static_cast<float>(rate * share));
    curve[static_cast<std::size_t>((step - 1) / kWindow)] += loss / kWindow;
  }
  return curve;
}

// A panel a learning rate, a line a kind.
class Picture {
 public:
  explicit Picture(const std::string& path) : file_(path) {
    file_ << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 350" role="img">
<title>The loss of models with the norm before or behind the sublayer, with a warm-up and without</title>
<desc>A panel for each of two learning rates; in each, the loss over 400 steps of four kinds of model, and a dashed line at the loss of one who knows the letters' frequencies alone.</desc>
<style>
  text { font: 12px sans-serif; fill: #222 } line { stroke: #999 }
  .letters { stroke: #222; stroke-dasharray: 6 4 }
  .k { stroke: #225ea8; fill: none; stroke-width: 2 } .k1 { stroke-dasharray: 9 4 }
  .k2 { stroke: #b3470f; stroke-width: 3 } .k3 { stroke: #b3470f; stroke-dasharray: 2 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .letters { stroke: #ddd }
    .k { stroke: #7fb8ff } .k2, .k3 { stroke: #ffa366 }
  }
</style>
<text x="16" y="20">Loss in nats a letter, over the steps</text>
)";
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      const int left = kKinds[kind].legend;
      file_ << "<path class=\"k k" << kind << formatted("\" d=\"M%.0f 38h26\"/>", left)
            << formatted("<text x=\"%.0f\" y=\"42\">", left + 32) << kKinds[kind].name
            << "</text>\n";
    }
  }

  void panel(std::size_t which, const std::array<Curve, kKinds.size()>& curves,
             double of_frequencies) {
    const double left = 40 + 310 * static_cast<double>(which), right = left + 260;
    file_ << formatted("<text x=\"%.0f\" y=\"66\">learning rate %.3f</text>\n", left + 130,
                       kRates[which]);
    for (int half = 4; half <= 10; half += 2) {
      file_ << formatted("<line x1=\"%.0f\" y1=\"%.1f\" x2=\"%.0f\" y2=\"%.1f\"/>", left,
                         height(half / 2.0), right, height(half / 2.0))
            << formatted("<text x=\"%.0f\" y=\"%.1f\">%.0f</text>\n", left - 14,
                         height(half / 2.0) + 4, half / 2.0);
    }
    for (std::size_t kind = 0; kind < curves.size(); ++kind) {
      file_ << "<polyline class=\"k k" << kind << "\" points=\"";
      for (int i = 0; i < kPoints; ++i) {
        const double loss = std::clamp(curves[kind][static_cast<std::size_t>(i)], kLeast, kMost);
        file_ << formatted("%.1f,%.1f ", left + (right - left) * (i + 0.5) / kPoints, height(loss));
      }
      file_ << "\"/>\n";
    }
    file_ << formatted(
        "<line class=\"letters\" x1=\"%.0f\" y1=\"%.1f\" x2=\"%.0f\" y2=\"%.1f\"/>\n", left,
        height(of_frequencies), right, height(of_frequencies));
    for (int step = 0; step <= kSteps; step += 100) {
      file_ << formatted("<text x=\"%.0f\" y=\"318\">%.0f</text>\n",
                         left + (right - left) * step / kSteps - (step == 0 ? 0 : 16), step);
    }
  }

  // Whether all has reached the file.
  bool end(double of_frequencies) {
    file_ << formatted(
        "<text x=\"40\" y=\"338\">thin dashes: %.2f, by how often each letter "
        "occurs and nothing else</text>\n</svg>\n",
        of_frequencies);
    return static_cast<bool>(file_.flush());
  }

 private:
  static constexpr double kLeast = 2, kMost = 5;
  static double height(double loss) { return 70 + 230 * (kMost - loss) / (kMost - kLeast); }

  std::ofstream file_;
};

int run(const std::string& path) {
  const std::vector<int> text = letters();
  const double of_frequencies = loss_of_frequencies(text);
  Picture picture(path);
  std::printf("The loss in nats a letter, mean of %u starts and of the %d steps before:\n\n",
              kStarts, kWindow);
  std::printf("  %-14s %-15s %8s %8s %8s   %s\n", "learning rate", "", "100", "200", "400",
              "lowest and highest at 400");
  for (std::size_t which = 0; which < kRates.size(); ++which) {
    std::array<Curve, kKinds.size()> means{};
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      std::vector<double> ends;
      for (unsigned start = 1; start <= kStarts; ++start) {
        const Curve curve = trained(kKinds[kind], kRates[which], start, text);
        for (std::size_t i = 0; i < curve.size(); ++i) means[kind][i] += curve[i] / kStarts;
        ends.push_back(curve.back());
      }
      const auto at = [&](int step) {
        return means[kind][static_cast<std::size_t>(step / kWindow - 1)];
      };
      const auto [lowest, highest] = std::minmax_element(ends.begin(), ends.end());
      std::printf("  %-14.3f %-15s %8.2f %8.2f %8.2f   %8.2f %8.2f\n", kRates[which],
                  kKinds[kind].name, at(100), at(200), at(400), *lowest, *highest);
      std::fflush(stdout);
    }
    picture.panel(which, means, of_frequencies);
  }
  if (!picture.end(of_frequencies)) {
    std::fprintf(stderr, "warm_up: cannot write '%s'\n", path.c_str());
    return 1;
  }
  std::printf("\nBy the letters' frequencies alone: %.2f. The picture is in %s.\n", of_frequencies,
              path.c_str());
  return 0;
}

}  // namespace
}  // namespace andrea

int main(int argc, char** argv) { return andrea::run(argc > 1 ? argv[1] : "warm_up.svg"); }
