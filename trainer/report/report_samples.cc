#include "trainer/report/report_samples.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "trainer/base/error.h"
#include "trainer/report/html.h"
#include "trainer/report/number_text.h"

namespace andrea {
namespace {

constexpr std::size_t kMostSteps = 24;
constexpr std::size_t kMostBytesOfSample = 4000;
constexpr std::size_t kMostBytes = 80000;  // of all together, before escaping
constexpr std::size_t kPreviewBytes = 160;

using SamplesOfStep = std::map<std::int64_t, std::vector<const Sample*>>;

// Leaves the first and last steps and some between that are at least a constant factor apart.
SamplesOfStep chosen(const SamplesOfStep& all) {
  if (all.size() <= kMostSteps) return all;
  // Steps are counted from 1 here, since step 0, before training, has samples, too.
  const auto place = [](std::int64_t step) { return std::log1p(static_cast<double>(step)); };
  const std::int64_t last = all.rbegin()->first;
  const double distance = (place(last) - place(all.begin()->first)) / (kMostSteps - 1);
  SamplesOfStep kept;
  for (const auto& [step, samples] : all) {
    const bool is_far = kept.empty() || place(step) - place(kept.rbegin()->first) >= distance;
    if (is_far || step == last) kept[step] = samples;
  }
  return kept;
}

std::string sample_html(const Sample& sample, std::size_t most_bytes) {
  std::string_view written = sample.text;
  if (written.starts_with(sample.prompt)) written.remove_prefix(sample.prompt.size());
  const std::string_view start = utf8_start(written, most_bytes);
  // The text decides for itself whether it runs from right to left.
  std::string html = "<div class=\"sample\" dir=\"auto\">";
  if (!sample.prompt.empty()) {
    html += "<b title=\"prompt\">" + html_text(utf8_start(sample.prompt, most_bytes)) + "</b>";
  }
  html += html_text(start);
  if (start.size() < written.size()) {
    html += text(" <i>(", integer_text(static_cast<std::int64_t>(written.size() - start.size())),
                 " bytes more in samples.jsonl)</i>");
  }
  return html + "</div>\n";
}

// The first words on one line.
std::string preview_html(const Sample& sample) {
  std::string line(utf8_start(sample.text, kPreviewBytes));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return "<span class=\"preview\"><bdi>" + html_text(line) + "</bdi></span>";
}

}  // namespace

std::string samples_html(const std::vector<Sample>& samples) {
  if (samples.empty()) return "";
  SamplesOfStep all;
  for (const Sample& sample : samples) all[sample.step].push_back(&sample);
  const SamplesOfStep kept = chosen(all);

  std::size_t count = 0;
  for (const auto& [step, of_step] : kept) count += of_step.size();
  const std::size_t most_bytes = std::min(kMostBytesOfSample, kMostBytes / count);

  std::string html =
      "<section aria-labelledby=\"samples\"><h2 id=\"samples\">What it writes</h2>\n"
      "<p class=\"note\">The latest first, back to the noise that it began with";
  if (kept.size() < all.size()) {
    html += text("; ", kept.size(), " of ", integer_text(static_cast<std::int64_t>(all.size())),
                 " steps");
  }
  const bool any_prompt = std::any_of(samples.begin(), samples.end(),
                                      [](const Sample& sample) { return !sample.prompt.empty(); });
  html += any_prompt ? ". What is <b>bold</b> was given to it as the prompt.</p>\n" : ".</p>\n";
  const std::int64_t latest = kept.rbegin()->first;
  for (auto of_step = kept.rbegin(); of_step != kept.rend(); ++of_step) {
    const auto& [step, texts] = *of_step;
    html += text("<details", step == latest ? " open" : "", "><summary><span class=\"step\">step ",
                 integer_text(step), "</span> ", preview_html(*texts.front()), "</summary>\n");
    for (const Sample* sample : texts) html += sample_html(*sample, most_bytes);
    html += "</details>\n";
  }
  return html + "</section>\n";
}

}  // namespace andrea
