// Lab 07: what does a model lose that has not learnt anything yet?
//
//   bazel run //lessons/07_full_model:lab -- "$PWD/start_loss.svg"
//
// ANDREA-120M with random parameters, drawn in three ways, with an output table of its own and with
// a tied one: the mean loss over a text of random tokens. An even guess would lose ln 8449 = 9.04.
// It takes about a minute. Before you run it, predict which of the six is far off, and why.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "kernels/cross_entropy.h"
#include "kernels/device_buffer.h"
#include "kernels/transformer.h"
#include "lessons/formatted.h"

namespace andrea {
namespace {

constexpr int kTokens = 256;

// How the matrices are drawn: normal, with mean 0 and these standard deviations.
struct Start {
  const char* name;
  double tables_and_inner;  // all but the projections
  double projections;       // the two of a block that write to the stream
};

std::vector<float> parameters_of(const ParameterLayout& layout, const Start& start) {
  std::mt19937_64 generator(1);
  std::normal_distribution<float> normal;
  std::vector<float> flat(static_cast<std::size_t>(layout.size()));
  for (const ParameterTensor& tensor : layout.tensors()) {
    float* const first = flat.data() + tensor.offset;
    const bool projection = tensor.name.find("c_proj") != std::string::npos;
    const double deviation = projection ? start.projections : start.tables_and_inner;
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
      if (tensor.is_matrix()) first[i] = static_cast<float>(deviation) * normal(generator);
    }
    const bool gain =
        tensor.name.find("ln_") != std::string::npos && tensor.name.ends_with("weight");
    if (gain) std::fill_n(first, tensor.count(), 1.0f);
  }
  return flat;
}

double start_loss(bool tied, const Start& start) {
  ModelConfig config;
  config.tied = tied;
  const ParameterLayout layout(config);
  std::mt19937_64 generator(2);
  std::uniform_int_distribution<int> token(0, config.vocabulary - 1);
  std::vector<int> text(kTokens + 1);
  for (int& one : text) one = token(generator);
  const std::vector<float> drawn = parameters_of(layout, start);
  const DeviceBuffer<float> parameters{std::span<const float>(drawn)};
  const DeviceBuffer<int> tokens(std::span<const int>(text).first(kTokens));
  const DeviceBuffer<int> targets(std::span<const int>(text).last(kTokens));
  DeviceBuffer<float> logits(std::int64_t{kTokens} * config.padded_vocabulary()), losses(kTokens);
  DeviceBuffer<char> scratch(
      static_cast<std::int64_t>(transformer_scratch_bytes(config, 1, kTokens)));
  Launch launch;
  launch.scratch = scratch.data();
  launch.scratch_bytes = scratch.bytes();
  transformer_forward(layout, parameters.data(), tokens.data(), logits.data(), nullptr, 1, kTokens,
                      launch);
  cross_entropy_forward(logits.data(), targets.data(), losses.data(), kTokens, config.vocabulary,
                        config.padded_vocabulary(), launch);
  CUDA_CHECK(cudaDeviceSynchronize());
  double sum = 0;
  for (const float loss : losses.to_host()) sum += static_cast<double>(loss);
  return sum / kTokens;
}

// Two bars for each start: hatched untied, filled tied; a line where the even guess is.
void write_picture(const std::string& path, const std::vector<Start>& starts,
                   const std::vector<std::vector<double>>& losses, double even) {
  const auto y = [](double loss) { return 260 - 10 * loss; };
  std::ofstream file(path);
  file << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 330" role="img">
<title>The loss of ANDREA-120M before its first step</title>
<desc>Pairs of bars, untied and tied, for three ways to draw the parameters, and a dashed line at 9.04, the loss of an even guess. All bars end a little above the line but one: a tied table with the standard deviation 1 / sqrt(C) and projections of 0.</desc>
<style>
  text { font: 13px sans-serif; fill: #222 } .a { fill: url(#h); stroke: #225ea8 }
  .b { fill: #225ea8; stroke: #225ea8 } .h { stroke: #225ea8 } line { stroke: #888 }
  .even { stroke: #222; stroke-dasharray: 6 4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .b { fill: #7fb8ff; stroke: #7fb8ff } .a { stroke: #7fb8ff } .h { stroke: #7fb8ff }
    .even { stroke: #ddd }
  }
</style>
<defs><pattern id="h" width="6" height="6" patternUnits="userSpaceOnUse"><path class="h" d="M0 6L6 0"/></pattern></defs>
<text x="20" y="24">Loss before the first step, in nats</text>
<rect class="a" x="300" y="12" width="14" height="14"/><text x="320" y="24">untied</text>
<rect class="b" x="400" y="12" width="14" height="14"/><text x="420" y="24">tied</text>
<line x1="40" y1="260" x2="580" y2="260"/>
)";
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double left = 70 + 180 * static_cast<double>(i);
    for (std::size_t tied = 0; tied < 2; ++tied) {
      const double x = left + 52 * static_cast<double>(tied), top = y(losses[i][tied]);
      file << (tied == 0 ? "<rect class=\"a\"" : "<rect class=\"b\"")
           << formatted(" x=\"%.0f\" y=\"%.1f\" width=\"44\" height=\"%.1f\"/>\n", x, top,
                        260 - top)
           << formatted("<text x=\"%.0f\" y=\"%.1f\">%.2f</text>\n", x + 8, top - 5,
                        losses[i][tied]);
    }
    file << "<text x=\"" << left - 20 << "\" y=\"" << 284 << "\">" << starts[i].name << "</text>\n";
  }
  file << formatted("<line class=\"even\" x1=\"40\" y1=\"%.1f\" x2=\"580\" y2=\"%.1f\"/>\n",
                    y(even), y(even))
       << formatted("<text x=\"40\" y=\"%.0f\">dashed: ln 8449 = %.2f</text>\n</svg>\n", 312, even);
}

int run(const std::string& path) {
  const double of_width = 1 / std::sqrt(768.0);
  const std::vector<Start> starts = {{"0.02, projections less", 0.02, 0.02 / std::sqrt(24.0)},
                                     {"1 / sqrt(C)", of_width, of_width},
                                     {"1 / sqrt(C), projections 0", of_width, 0}};
  std::vector<std::vector<double>> losses;
  std::printf("  standard deviation of the matrices   untied   tied\n");
  for (const Start& start : starts) {
    losses.push_back({start_loss(false, start), start_loss(true, start)});
    std::printf("  %-34s   %6.2f  %6.2f\n", start.name, losses.back()[0], losses.back()[1]);
  }
  write_picture(path, starts, losses, std::log(8449.0));
  std::printf("An even guess: %.2f. The picture is in %s.\n", std::log(8449.0), path.c_str());
  return 0;
}

}  // namespace
}  // namespace andrea

int main(int argc, char** argv) { return andrea::run(argc > 1 ? argv[1] : "start_loss.svg"); }
