// File: sublayer_case.h
//
// What the tests of the sublayers share: their sizes, the states of a forward pass, and mistakes
// that all of them can make.

#ifndef ANDREA_LESSONS_06_RESIDUAL_BLOCK_SUBLAYER_CASE_H_
#define ANDREA_LESSONS_06_RESIDUAL_BLOCK_SUBLAYER_CASE_H_

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/device_buffer.h"
#include "lessons/06_residual_block/block_case.h"
#include "lessons/06_residual_block/kernel.h"
#include "lessons/06_residual_block/mistakes.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/06_residual_block/tensors.h"
#include "tests/harness/exercise/trial.h"
#include "tests/harness/marked_nan.h"

namespace andrea {

// A smallest block, one of T = 3 and C = 2, then several sequences and heads, and odd sizes.
inline const std::vector<std::vector<int>> kSizes = {
    {1, 2, 1, 3, 4, 1},  {1, 3, 1, 2, 4, 1},   {2, 3, 2, 2, 5, 1}, {1, 1, 3, 2, 3, 0},
    {3, 5, 3, 4, 31, 1}, {2, 33, 2, 8, 33, 0}, {1, 97, 1, 5, 7, 1}};

// With whether the gradients of the parameters are added, and whether the gradient of the stream
// is written over the one that came.
inline std::vector<std::vector<int>> backward_sizes() {
  std::vector<std::vector<int>> all = kSizes;
  const std::vector<std::vector<int>> ways = {{1, 0}, {0, 0}, {1, 1}, {0, 1}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<int>& way = ways[i % ways.size()];
    all[i].insert(all[i].end(), way.begin(), way.end());
  }
  return all;
}
inline const std::vector<std::string> kBackwardNames = {"B", "T",      "H",   "D",
                                                        "F", "biases", "add", "in place"};

inline std::vector<int> forward_sizes(const Trial& trial) {
  const auto sizes = trial.sizes<6>();
  return {sizes.begin(), sizes.end()};
}

// A sublayer adds with the student's own residual_forward and residual_backward. Where that is
// wrong, it is another exercise's mistake, and told as that.
template <typename Operation>
void require_residual(Trial& trial, const Operation& operation) {
  const std::vector<float> a = {0.5f, -1.25f, 2, 7}, b = {3, 0.125f, -4, 1};
  DeviceBuffer<float> stream(a), correction(b), sum(4);
  trial.run([&](const Launch& launch) {
    operation(stream.data(), correction.data(), sum.data(), 4, launch);
  });
  bool right = true;
  const std::vector<float> is = sum.to_host();
  for (std::size_t i = 0; i < 4; ++i) right = right && is[i] == a[i] + b[i];
  trial.require(right, "residual_first");
}

// A call is missing, or comes too late: what is read was never written.
inline void looks_like_late(Trial& trial, const std::vector<std::string>& names,
                            const mistakes06::Tensors<double>& right) {
  for (const std::string& name : names) {
    trial.looks_like("missing_or_late", name,
                     [&] { return mistakes06::never_written(right.at(name)); });
  }
}

// The last sum takes itself for one of its terms: written, but of what nobody has written.
inline void tell_sum_of_itself(Trial& trial, const std::string& mistake, const std::string& sum,
                               const mistakes06::Tensors<double>& right) {
  const std::vector<float>& is = trial.contents(sum);
  if (std::any_of(is.begin(), is.end(), is_never_written)) return;
  looks_like(trial, mistake, {sum}, [&] {
    return mistakes06::Tensors<double>{{sum, mistakes06::never_written(right.at(sum))}};
  });
}

// Where an operation is to leave something for its backward; what, is its own.
inline float* saved_output(Trial& trial, const std::string& name, std::size_t bytes) {
  return trial.output(name, {{"i", static_cast<int>(bytes / sizeof(float))}});
}

inline void require_saved(Trial& trial, const std::string& name) {
  const std::vector<float>& saved = trial.contents(name);
  trial.require(!std::all_of(saved.begin(), saved.end(), is_never_written), "not_saved",
                {{"what", name}});
}

// The states of the two sublayers as inputs. The exercises only read them, as their headers say.
inline float* writable(const float* input) { return const_cast<float*>(input); }

inline lesson06::BlockStates attention_states(Trial& trial, const BlockCase& it,
                                              const reference::BlockStates<float>& from) {
  lesson06::BlockStates s{};
  s.norm1 = writable(it.input_rows(trial, "norm1", from.norm1));
  s.norm1_saved = writable(it.input_norm_saved(trial, "norm1_saved", it.x<float>()));
  s.qkv = writable(it.input_rows(trial, "qkv", from.qkv));
  s.attended = writable(it.input_rows(trial, "attended", from.attended));
  s.attention_saved = writable(it.input_attention_saved(trial, from.qkv));
  s.middle = writable(it.input_rows(trial, "middle", from.middle));
  return s;
}

inline void add_mlp_states(Trial& trial, const BlockCase& it,
                           const reference::BlockStates<float>& from, lesson06::BlockStates& s) {
  s.norm2 = writable(it.input_rows(trial, "norm2", from.norm2));
  s.norm2_saved = writable(it.input_norm_saved(trial, "norm2_saved", from.middle));
  s.expanded = writable(it.input_rows(trial, "expanded", from.expanded));
  s.activated = writable(it.input_rows(trial, "activated", from.activated));
}

}  // namespace andrea

#endif  // ANDREA_LESSONS_06_RESIDUAL_BLOCK_SUBLAYER_CASE_H_
