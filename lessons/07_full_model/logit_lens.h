// File: logit_lens.h
//
// What a model would say if it ended behind its first blocks: the stream there, put through the
// last norm and the output table (nostalgebraist 2020, "the logit lens").
//
//   LogitLens lens(layout, parameters);
//   lens.read(tokens);
//   lens.logits(0);        // of the embedding alone
//   lens.logits(L);        // the model's own

#ifndef ANDREA_LESSONS_07_FULL_MODEL_LOGIT_LENS_H_
#define ANDREA_LESSONS_07_FULL_MODEL_LOGIT_LENS_H_

#include <span>
#include <vector>

#include "kernels/device_buffer.h"
#include "kernels/launch.h"
#include "kernels/parameter_layout.h"

namespace andrea {

class LogitLens {
 public:
  // Precondition: the kernels linked in support the model (transformer_supports). Both references
  // must outlive the lens.
  LogitLens(const ParameterLayout& layout, const DeviceBuffer<float>& parameters);

  // Puts a text through the blocks and keeps every stream. Precondition: 1 to config.context
  // tokens, each in 0 .. V-1.
  void read(std::span<const int> tokens);

  // Behind so many blocks, 0 to L: the logits of the token that comes next, [T, stride].
  std::vector<float> logits(int blocks);
  // The losses of these, [T]; 0 where the target is -1. Precondition: as many targets as tokens.
  std::vector<float> losses(int blocks, std::span<const int> targets);

 private:
  void project(int blocks);

  const ParameterLayout& layout_;
  const DeviceBuffer<float>& parameters_;
  int T_ = 0;
  std::vector<DeviceBuffer<float>> streams_;  // L + 1, each [T, C]
  DeviceBuffer<float> normed_;                // [T, C]
  DeviceBuffer<float> logits_;                // [T, stride]
  DeviceBuffer<int> tokens_;                  // [T]
  DeviceBuffer<int> targets_;                 // [T]
  DeviceBuffer<float> losses_;                // [T]
  DeviceBuffer<char> scratch_;
  Launch launch_;
};

}  // namespace andrea

#endif  // ANDREA_LESSONS_07_FULL_MODEL_LOGIT_LENS_H_
