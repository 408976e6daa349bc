// kernels/transformer.h: with and without saved, and what it refuses.

#include <string>

#include "kernels/device_buffer.h"
#include "kernels/transformer.h"
#include "lessons/07_full_model/model_case.h"
#include "tests/harness/exercise/exercise.h"
#include "tests/harness/references.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

TEST(Lesson07, WholeTransformer) {
  EXPECT_TRUE(
      whole("07.6", "kernels/transformer.h", kBackwardNames, both_ways(kModels), [](Trial& trial) {
        const BackwardSizes sizes(trial);
        const Accumulate accumulate = sizes.accumulate;
        const ModelCase it(trial, sizes.sizes);
        const auto dlogits = trial.random().numbers(std::int64_t{it.N} * it.V);
        const Matrix<float> padded = it.padded<float>(as_matrix<float>(dlogits, it.N, it.V));
        const float* dlogits_device =
            trial.input<float>("dlogits", {{"n", it.N}, {"v", it.stride}},
                               {padded.data(), padded.data() + padded.size()});
        float* logits = trial.output("logits", {{"n", it.N}, {"v", it.stride}});
        float* logits_alone = trial.output("logits without saved", {{"n", it.N}, {"v", it.stride}});
        DeviceBuffer<char> saved(
            static_cast<std::int64_t>(transformer_saved_bytes(it.config, it.B, it.T)));
        auto before = random_parameters(it.layout, trial.random());
        const int size = static_cast<int>(it.layout.size());
        float* gradients = trial.prefilled("gradients", {{"place", size}}, before);
        trial.consists_of("gradients", parts_of(it.layout));
        trial.run(
            [&](const Launch& launch) {
              transformer_forward(it.layout, it.parameters_device, it.tokens_device, logits_alone,
                                  nullptr, it.B, it.T, launch);
              transformer_forward(it.layout, it.parameters_device, it.tokens_device, logits,
                                  saved.data(), it.B, it.T, launch);
              transformer_backward(it.layout, it.parameters_device, it.tokens_device,
                                   dlogits_device, saved.data(), gradients, it.B, it.T, accumulate,
                                   launch);
            },
            transformer_scratch_bytes(it.config, it.B, it.T));
        const auto logits_of = [&]<typename Scalar>(Scalar) {
          return it.padded<Scalar>(reference::transformer_forward(
              it.layout, it.all_parameters<Scalar>(), it.tokens, it.B, it.T));
        };
        const double rounding = kRoundings * logits_of(0.0).cwiseAbs().maxCoeff();
        trial.expect("logits", logits_of, rounding);
        trial.expect("logits without saved", logits_of, rounding);
        const auto gradients_of = [&]<typename Scalar>(Scalar) {
          Vector<Scalar> flat =
              reference::transformer_backward(it.layout, it.all_parameters<Scalar>(), it.tokens,
                                              as_matrix<Scalar>(dlogits, it.N, it.V), it.B, it.T);
          if (accumulate == Accumulate::add) flat += as_vector<Scalar>(before);
          return flat;
        };
        trial.expect("gradients", gradients_of,
                     kRoundings * gradients_of(0.0).cwiseAbs().maxCoeff());

        const auto refuses = [&](auto ModelConfig::*variant, auto value, const std::string& name) {
          ModelConfig config = it.config;
          config.*variant = value;
          const std::string sentence = transformer_supports(config);
          return sentence.find("the kernels of lesson 07 have") == 0 &&
                 sentence.find(name) != std::string::npos;
        };
        trial.require(transformer_supports(it.config).empty() &&
                          transformer_supports(ModelConfig()).empty() &&
                          refuses(&ModelConfig::positions, Positions::rotary, "positions") &&
                          refuses(&ModelConfig::positions, Positions::none, "positions") &&
                          refuses(&ModelConfig::positions, Positions::sinusoidal, "positions") &&
                          refuses(&ModelConfig::norm, NormPlacement::post, "norm") &&
                          refuses(&ModelConfig::norm, NormPlacement::none, "norm") &&
                          refuses(&ModelConfig::activation, Activation::relu, "activation") &&
                          refuses(&ModelConfig::activation, Activation::swiglu, "activation") &&
                          refuses(&ModelConfig::tied, true, "tied") &&
                          refuses(&ModelConfig::biases, false, "biases"),
                      "refusal");
      }));
}

}  // namespace
}  // namespace andrea
