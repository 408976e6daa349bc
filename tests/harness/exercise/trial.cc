#include "tests/harness/exercise/trial.h"

#include <cuda_runtime.h>
#include <simulator/reports.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "tests/harness/callee.h"
#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/profile_log.h"

namespace andrea {
namespace {

// Integers as floats, which hold those of a test exactly; what was never written stays marked.
float as_float(std::int32_t number) {
  const auto bits = static_cast<std::uint32_t>(number);
  return bits == kNeverWritten ? std::bit_cast<float>(bits) : static_cast<float>(number);
}

// Infinities are exact.
double tolerance_of_finite(const std::vector<double>& exact, const std::vector<float>& rounded,
                           double accumulated) {
  std::vector<double> finite;
  std::vector<float> finite_rounded;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (!std::isfinite(exact[i])) continue;
    finite.push_back(exact[i]);
    finite_rounded.push_back(rounded[i]);
  }
  return tolerance_of(finite, finite_rounded, accumulated);
}

bool same_bits(const float& a, const float& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

std::string Trial::sizes_text() const {
  std::string text;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    text += (i > 0 ? ", " : "") + names_[i] + "=" + std::to_string(sizes_.at(i));
  }
  return text;
}

std::byte* Trial::add(Buffer buffer, const void* values, std::size_t count,
                      std::size_t element_bytes) {
  if (count != count_of(buffer.axes)) throw std::logic_error(buffer.name + ": sizes and values");
  buffer.memory = std::make_unique<GuardedMemory>(buffer.name + " " + sizes_of(buffer.axes),
                                                  count * element_bytes, values, buffer.is_input);
  buffers_.push_back(std::move(buffer));
  return buffers_.back().memory->data();
}

Trial::Buffer& Trial::buffer(const std::string& name) {
  const auto found = std::find_if(buffers_.begin(), buffers_.end(),
                                  [&](const Buffer& buffer) { return buffer.name == name; });
  if (found == buffers_.end()) throw std::logic_error("the exercise has no '" + name + "'");
  return *found;
}

void Trial::run(const std::function<void(const Launch&)>& work, std::size_t scratch_bytes) {
  if (failure_.kind != Failure::none) return;
  const std::size_t errors = callee().errors_reported();
  {
    const Workspace workspace(scratch_bytes);
    if (profiles()) callee().start_counting();
    work(workspace.launch());
    const cudaError_t error = callee().finish();
    if (profiles()) log_profile(exercise_, sizes_text(), callee().stop_counting());
    if (callee().errors_reported() > errors) {
      failure_.kind = Failure::report;
      failure_.text = message("harness.report");
    } else if (error != cudaSuccess) {
      failure_.kind = Failure::cuda_error;
      failure_.text = message("harness.cuda_error", {{"sizes", sizes_text()},
                                                     {"name", cudaGetErrorName(error)},
                                                     {"text", cudaGetErrorString(error)}});
      if (!simulator::simulated()) failure_.text += " " + message("harness.on_a_card");
    }
    if (failure_.kind != Failure::none) return;
  }
  for (const Buffer& buffer : buffers_) {
    const std::string damage = buffer.memory->damage();
    if (damage.empty()) continue;
    failure_.kind = Failure::guard;
    failure_.text = message("harness.guard", {{"damage", damage}});
    if (const auto byte = buffer.memory->changed_from(); byte.has_value()) {
      changed_ = buffer.name;
      failure_.text =
          message("harness.input_changed", {{"input", buffer.name},
                                            {"sizes", sizes_of(buffer.axes)},
                                            {"byte", std::to_string(*byte)},
                                            {"bytes", std::to_string(buffer.memory->bytes())}});
    }
    return;
  }
  fetch();
}

void Trial::change_looks_like(const std::string& mistake, const std::string& name) {
  const std::string text =
      message("harness.looks_like", {{"mistake", message(exercise_ + "." + mistake)}});
  if (failure_.kind != Failure::guard || changed_ != name) return;
  failure_.mistake = mistake;
  failure_.text += "\n" + text;
}

simulator::Counters Trial::counted(const std::function<void(const Launch&)>& work,
                                   std::size_t scratch_bytes) {
  if (failure().kind != Failure::none) return {};
  if (!simulator::simulated()) {
    left_out_ = true;
    return {};
  }
  const Workspace workspace(scratch_bytes);
  callee().start_counting();
  work(workspace.launch());
  return callee().stop_counting();
}

void Trial::call_failed(const std::string& text) {
  if (failure_.kind != Failure::none) return;
  failure_.kind = Failure::no_answer;
  failure_.mistake = "no_answer";
  failure_.text = text;
}

void Trial::fetch() {
  for (Buffer& buffer : buffers_) {
    if (buffer.is_input) continue;
    buffer.contents.resize(count_of(buffer.axes));
    buffer.memory->read(buffer.contents.data());
    if (!buffer.integer) continue;
    for (float& number : buffer.contents) number = as_float(std::bit_cast<std::int32_t>(number));
  }
}

bool Trial::untouched() const {
  return std::all_of(wrong_.begin(), wrong_.end(), [](const Tensor& tensor) {
    for (std::size_t i = 0; i < tensor.actual.size(); ++i) {
      const float& number = tensor.actual[i];
      const bool as_before =
          tensor.before.empty() ? is_never_written(number) : same_bits(number, tensor.before[i]);
      if (!as_before && number != 0) return false;
    }
    return true;
  });
}

void Trial::compare(const std::string& name, std::vector<double> exact, std::vector<float> rounded,
                    double accumulated) {
  const Buffer& output = buffer(name);
  if (exact.size() != output.contents.size()) throw std::logic_error(name + ": reference's size");
  if (!output.overwritten) {
    for (std::size_t i = 0; i < exact.size(); ++i) {
      exact[i] += static_cast<double>(output.before[i]);
      rounded[i] += output.before[i];
    }
  }
  Tensor tensor{name, output.axes,       output.contents, output.before, std::move(exact),
                0,    output.overwritten};
  tensor.tolerance = tolerance_of_finite(tensor.expected, rounded, accumulated);
  tensor.parts = output.parts;
  if (tensor.wrong_count() > 0) {
    wrong_.push_back(std::move(tensor));
  } else {
    right_.push_back(name);
  }
}

const Tensor* Trial::wrong_output(const std::string& mistake, const std::string& name) const {
  // Asked for in every run, so that the solution's test already finds a sentence that is missing.
  if (!has_message(exercise_ + "." + mistake)) {
    throw std::logic_error("messages.json of the lesson has no '" + exercise_ + "." + mistake +
                           "'");
  }
  const auto found = std::find_if(wrong_.begin(), wrong_.end(),
                                  [&](const Tensor& tensor) { return tensor.name == name; });
  return found == wrong_.end() ? nullptr : &*found;
}

void Trial::note_mistake(const std::string& mistake, const Tensor& tensor,
                         std::vector<double> wrong) {
  if (wrong.size() != tensor.actual.size()) throw std::logic_error(mistake + ": size");
  bool in_numbers = false;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    if (!tensor.overwritten) wrong[i] += static_cast<double>(tensor.before[i]);
    const double is = static_cast<double>(tensor.actual[i]);
    // The float result of the wrong formula is not rounded as that of the right one.
    const double tolerance =
        2 * tensor.tolerance + (std::isfinite(wrong[i]) ? 1e-5 * std::abs(wrong[i]) : 0);
    const bool same = std::isnan(wrong[i]) ? std::isnan(is) : distance(is, wrong[i]) <= tolerance;
    if (!same) return;
    in_numbers = in_numbers || (tensor.wrong(i) && !std::isnan(is));
  }
  if (in_numbers) in_numbers_.insert(mistake);
  if (explained_.count(mistake) == 0) mistakes_.push_back(mistake);
  explained_[mistake].insert(tensor.name);
}

void Trial::require(bool holds, const std::string& name,
                    const std::map<std::string, std::string>& words) {
  std::string text = message(exercise_ + "." + name, words);
  if (holds || failure_.kind != Failure::none || !wrong_.empty()) return;
  failure_.kind = Failure::requirement;
  failure_.text = std::move(text);
  failure_.mistake = name;
}

Failure Trial::failure() const {
  if (failure_.kind != Failure::none || wrong_.empty()) return failure_;
  Failure failure;
  failure.kind = Failure::wrong_numbers;
  failure.tensor = wrong_.front().told();
  failure.sizes = sizes_text();
  failure.right = right_;
  for (const Tensor& tensor : wrong_) {
    if (tensor.parts.empty()) failure.wrong_besides.push_back(tensor.name);
    for (const TensorPart& part : tensor.parts) {
      const Tensor one = tensor.part(part);
      (one.wrong_count() > 0 ? failure.wrong_besides : failure.right).push_back(one.name);
    }
  }
  std::erase(failure.wrong_besides, failure.tensor.name);
  failure.inputs = small_inputs();
  return failure;
}

std::vector<std::pair<std::string, std::vector<double>>> Trial::small_inputs() const {
  constexpr std::size_t kMost = 16;
  std::vector<std::pair<std::string, std::vector<double>>> all;
  for (const Buffer& buffer : buffers_) {
    // What an output holds at first may be read as well, as where a gradient takes its place.
    std::vector<double> numbers = buffer.given;
    for (const float number : buffer.before) {
      if (!std::isnan(number)) numbers.push_back(static_cast<double>(number));
    }
    if (numbers.size() > kMost) return {};
    if (!numbers.empty()) all.emplace_back(buffer.name, std::move(numbers));
  }
  return all;
}

std::vector<std::string> Trial::mistakes_of_told() const {
  std::vector<std::string> found = mistakes_;
  std::erase_if(found, [&](const std::string& mistake) {
    return explained_.at(mistake).count(wrong_.front().name) == 0;
  });
  return found;
}

std::vector<std::string> Trial::mistakes() const {
  std::vector<std::string> found = mistakes_;
  std::erase_if(found, [&](const std::string& mistake) {
    return explained_.at(mistake).size() < wrong_.size();
  });
  return found;
}

}  // namespace andrea
