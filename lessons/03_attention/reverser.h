// File: reverser.h
//
// A small model that learns to write eight letters backwards: an embedding, one causal attention,
// the output projection. Nothing but attention can bring a letter from one place to another, so
// that it learns this if, and only if, the linked attention and its gradients are right.
//
//   abcdefgh|hgfedcb      what it reads, a token a position
//           hgfedcba      what it is to say at the last eight positions
//
// All operations are those of the contract, kernels/; which set they come from is decided by who
// links this.

#ifndef ANDREA_LESSONS_03_ATTENTION_REVERSER_H_
#define ANDREA_LESSONS_03_ATTENTION_REVERSER_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "kernels/attention.h"
#include "kernels/device_buffer.h"
#include "kernels/step_scalars.h"

namespace andrea {

class Reverser {
 public:
  static constexpr int kLetters = 8;

  explicit Reverser(std::uint64_t seed);

  // One step of training on fresh random letters. Returns the mean loss of a letter, in nats:
  // ln 26 = 3.26 for one who guesses, 0 for one who knows.
  double train();

  // What it writes after `letters` and the bar, a letter at a time, each time reading what it has
  // written so far. Precondition: kLetters letters from a to z.
  std::string continuation(const std::string& letters);

  // The share of right letters over 64 random sequences.
  double accuracy();

 private:
  // Where each parameter begins in the flat buffers.
  struct Layout {
    std::int64_t token_table, position_table, qkv_weight, qkv_bias, out_weight, out_bias,
        output_table, size;
  };
  static Layout layout();

  std::vector<std::string> continuations(const std::vector<std::string>& sequences);
  std::string random_letters();
  void forward(const std::vector<int>& tokens);
  Launch launch() const;
  float* parameter(std::int64_t at) { return parameters_.data() + at; }
  float* gradient(std::int64_t at) { return gradients_.data() + at; }

  AttentionShape shape_;
  Layout at_;
  std::mt19937_64 generator_;
  StepScalars scalars_;
  DeviceBuffer<float> parameters_, gradients_, first_moments_, second_moments_;
  DeviceBuffer<StepScalars> scalars_device_;
  DeviceBuffer<int> tokens_, targets_;
  // The stream of activations, and the gradients of each.
  DeviceBuffer<float> embedded_, qkv_, attended_, stream_, logits_, losses_;
  DeviceBuffer<float> dembedded_, dqkv_, dattended_, dstream_;
  DeviceBuffer<char> saved_, scratch_;
};

}  // namespace andrea

#endif  // ANDREA_LESSONS_03_ATTENTION_REVERSER_H_
