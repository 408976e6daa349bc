#include "trainer/run/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "trainer/base/error.h"
#include "trainer/base/terminal.h"
#include "trainer/model/estimate.h"

namespace andrea {
namespace {

constexpr std::size_t kShortestBar = 8;
constexpr std::size_t kLongestBar = 20;
constexpr std::int64_t kPlainLines = 40;
constexpr std::chrono::milliseconds kRedraw{100};

template <typename... Arguments>
std::string formatted(const char* format, Arguments... arguments) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, format, arguments...);
  return buffer;
}

// A cell is three bytes long and one column wide.
std::string bar(double done, std::size_t cells) {
  const auto full = static_cast<std::size_t>(std::lround(done * static_cast<double>(cells)));
  std::string result;
  for (std::size_t i = 0; i < cells; ++i) result += i < full ? "█" : "░";
  return result;
}

// Mean over about the last twenty steps.
double smooth(double mean, double value) {
  return mean == 0 || !std::isfinite(mean) ? value : 0.95 * mean + 0.05 * value;
}

}  // namespace

Progress::Progress(std::int64_t steps, double flops_per_token, std::optional<double> ceiling,
                   bool card, std::optional<double> entropy)
    : steps_(steps),
      flops_per_token_(flops_per_token),
      ceiling_(ceiling),
      card_(card),
      entropy_(entropy),
      terminal_(draws_over()),
      start_(Clock::now()),
      last_drawn_(start_ - kRedraw) {}

Progress::~Progress() { erase(); }

void Progress::say(std::string_view line) {
  erase();
  std::cout << for_terminal(line) << std::endl;
}

void Progress::step(const TrainedStep& metrics) {
  if (first_step_ < 0) first_step_ = metrics.step - 1;
  smoothed_loss_ = smooth(smoothed_loss_, metrics.loss);
  smoothed_speed_ = smooth(smoothed_speed_, metrics.tokens_per_second);

  if (metrics.validation.has_value()) {
    std::string line = formatted("step %6lld  validation %.4f nats a token = %.4f bits a byte",
                                 static_cast<long long>(metrics.step), metrics.validation->loss(),
                                 metrics.validation->bits_per_byte());
    if (entropy_.has_value()) line += formatted(" (limit %.4f)", *entropy_);
    say(line);
  }
  const std::int64_t every = std::max<std::int64_t>(1, steps_ / kPlainLines);
  if (terminal_) {
    const bool last = metrics.step == steps_;
    if (!last && Clock::now() - last_drawn_ < kRedraw) return;
    last_drawn_ = Clock::now();
    erase();
    std::cout << line_for(metrics) << std::flush;
    drawn_ = true;
  } else if (metrics.step % every == 0 || metrics.step == 1 || metrics.step == steps_) {
    std::cout << line_for(metrics) << std::endl;
  }
}

std::string Progress::line_for(const TrainedStep& metrics) const {
  const double done = static_cast<double>(metrics.step) / static_cast<double>(steps_);
  const std::string step = text("step ", metrics.step, "/", steps_);
  const std::string loss = formatted("loss %.4f", smoothed_loss_);
  const std::string speed = text(with_separators(std::llround(smoothed_speed_)), " tokens/s");
  std::string ceiling;
  if (ceiling_.has_value()) {
    const auto share = std::lround(100 * smoothed_speed_ * flops_per_token_ / *ceiling_);
    // More than all: the machine was busy with something else when its best was measured.
    if (share <= 100) ceiling = text("  ", share, card_ ? " % MFU" : " % of the GEMM ceiling");
  }
  const std::string remaining = text(remaining_time(metrics.step), " left");
  if (!terminal_) {
    return text(step, "  ", loss, formatted("  learning rate %.2e", metrics.learning_rate),
                formatted("  gradient norm %.3f  ", metrics.gradient_norm), speed, ceiling, "  ",
                remaining);
  }
  // The most telling parts first; what the terminal has no room for is left out, and the bar takes
  // what is left. Where Ctrl-C is echoed behind the line, it still is one line.
  const auto room = static_cast<std::size_t>(std::max(1, terminal_columns() - 3));
  std::string line = text(step, "  ", loss);
  line.resize(std::min(line.size(), room));
  std::size_t least_bar = 0;
  for (const std::string& part : {"  " + remaining, "  " + speed, ceiling}) {
    if (least_bar + line.size() + part.size() > room) break;
    line += part;
    if (line.size() + 2 + kShortestBar <= room) least_bar = kShortestBar + 2;
  }
  if (line.size() + 2 + kShortestBar > room) return line;
  return bar(done, std::min(kLongestBar, room - line.size() - 2)) + "  " + line;
}

std::string Progress::remaining_time(std::int64_t step) const {
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  const auto done = static_cast<double>(step - first_step_);
  return readable_duration(elapsed / done * static_cast<double>(steps_ - step));
}

void Progress::erase() {
  if (!drawn_) return;
  std::cout << "\r\x1b[2K" << std::flush;
  drawn_ = false;
}

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool control = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
    if (control) {
      result += "\uFFFD";
    } else {
      result += c;
    }
  }
  return result;
}

std::string readable_duration(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  const long long hours = whole / 3600;
  if (hours >= 48) return text(hours / 24, " days ", hours % 24, " h");
  if (hours > 0) return formatted("%lld:%02lld:%02lld", hours, whole / 60 % 60, whole % 60);
  return formatted("%lld:%02lld", whole / 60, whole % 60);
}

}  // namespace andrea
