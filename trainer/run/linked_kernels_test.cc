#include "trainer/run/linked_kernels.h"

#include <gtest/gtest.h>

#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"
#include "trainer/model/test_model.h"

namespace andrea {
namespace {

using Origins = std::vector<KernelOrigin>;

TEST(LinkedKernelsTest, SaysWhoseTheyAre) {
  const KernelOrigin block{"block", "//kernels/composed:block"};
  EXPECT_EQ(kernels_line(Origins{block, {"adamw", "//kernels/cpu:adamw"}}), "");
  EXPECT_EQ(kernels_line(Origins{block, {"adamw", "//kernels/cuda:adamw_fast"}}),
            "Kernels: all of the cuda set.");
  const KernelOrigin lesson{"attention", "//lessons/03_attention:kernels_fast"};
  EXPECT_EQ(kernels_line(Origins{block, lesson, {"adamw", "//kernels/cpu:adamw"}}),
            "Kernels: attention of lessons/03_attention; all others of the cpu set.");
  EXPECT_EQ(kernels_line(Origins{lesson, {"adamw", "//kernels/cuda:adamw_fast"}}),
            "Kernels: attention of lessons/03_attention; all others of the cuda set.");
  EXPECT_EQ(kernels_line(Origins{{"linear", "//kernels/cpu:linear"},
                                 {"adamw", "//kernels/cuda:adamw_fast"}}),
            "Kernels: all of the sets cpu and cuda.");
}

TEST(LinkedKernelsTest, KnowsWhoseTimeSaysNothing) {
  const KernelOrigin block{"block", "//kernels/composed:block"};
  EXPECT_FALSE(are_simulated(Origins{block, {"adamw", "//kernels/cpu:adamw"}}));
  for (const char* const cuda : {"//lessons/07_full_model:kernels", "//kernels/cuda:adamw_fast"}) {
    EXPECT_EQ(are_simulated(Origins{block, {"adamw", cuda}}), !runs_on_a_card()) << cuda;
  }
}

// What is composed of the others is nobody else's.
TEST(LinkedKernelsTest, NamesNoOtherSetWhereThereIsNone) {
  const KernelOrigin composed{"training_pass", "//kernels/composed:training_pass"};
  const KernelOrigin attention{"attention", "//lessons/03_attention:kernels_fast"};
  EXPECT_EQ(kernels_line(Origins{
                composed, attention, {"layer_norm", "//lessons/04_layer_norm:kernels_fast"}}),
            "Kernels: all of the lessons set.");
  EXPECT_EQ(kernels_line(Origins{
                composed, attention, {"layer_norm", "//solutions/04_layer_norm:kernels_fast"}}),
            "Kernels: attention of lessons/03_attention, layer_norm of solutions/04_layer_norm.");
}

TEST(LinkedKernelsTest, KnowsWhoLooksAtTheNorm) {
  EXPECT_TRUE(adamw_looks_at_the_norm(Origins{{"adamw", "//kernels/cuda:adamw_fast"}}));
  EXPECT_FALSE(adamw_looks_at_the_norm(
      Origins{{"attention", "//kernels/cuda:attention"}, {"adamw", "//kernels/cpu:adamw"}}));
  EXPECT_FALSE(adamw_looks_at_the_norm(Origins{{"adamw", "//solutions/07_full_model:kernels"}}));
}

// Of the cpu set, which is linked in here.
TEST(LinkedKernelsTest, APrecisionThatTheyLackIsRefusedWithTheWayOut) {
  ModelConfig config = test_model();
  EXPECT_NO_THROW(refuse_what_kernels_lack(config));
  for (const Precision precision : {Precision::tf32, Precision::bf16}) {
    config.precision = precision;
    EXPECT_EQ(message_of<Error>([&] { refuse_what_kernels_lack(config); }),
              "this kernel set cannot train that model: these kernels compute in fp32 alone; give "
              "--precision fp32, or take the cuda set by --kernels cuda (on a card by --device "
              "gpu)");
  }
  config = test_model();
  config.recompute = true;
  EXPECT_NE(message_of<Error>([&] {
              refuse_what_kernels_lack(config);
            }).find("no recomputation; give --keep-activations, or"),
            std::string::npos);
  config = test_model();
  config.positions = Positions::rotary;
  const std::string variant = message_of<Error>([&] { refuse_what_kernels_lack(config); });
  EXPECT_NE(variant, "");
  EXPECT_EQ(variant.find("--precision"), std::string::npos) << variant;
}

}  // namespace
}  // namespace andrea
