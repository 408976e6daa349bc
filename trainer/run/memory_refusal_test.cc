#include "trainer/run/memory_refusal.h"

#include <gtest/gtest.h>

#include "trainer/model/estimate.h"
#include "trainer/model/test_model.h"

namespace andrea {
namespace {

TEST(MemoryRefusalTest, SaysTheSumAndTheLargestBatchThatFits) {
  const ModelConfig config = test_model();
  const auto need = [&config](int batch, int accumulate) {
    return estimate_run_memory(config, batch, accumulate).total();
  };
  EXPECT_EQ(memory_refusal(config, 8, 3, 0), "");
  EXPECT_EQ(memory_refusal(config, 8, 3, need(8, 3)), "");
  // 24 sequences are five micro-batches of 5, or eight of 3.
  const std::string five = memory_refusal(config, 8, 3, need(5, 5));
  EXPECT_NE(five.find("this run needs " + readable_bytes(static_cast<double>(need(8, 3)))),
            std::string::npos)
      << five;
  EXPECT_NE(five.find(parts_of(estimate_run_memory(config, 8, 3))), std::string::npos) << five;
  EXPECT_NE(five.find("the largest that fits is --batch 5, and --accumulate 5 makes up for it"),
            std::string::npos)
      << five;
  EXPECT_NE(memory_refusal(config, 8, 3, need(3, 8)).find("--batch 3, and --accumulate 8"),
            std::string::npos);
  EXPECT_NE(memory_refusal(config, 8, 3, 5000).find("not even --batch 1 fits"), std::string::npos);
}

}  // namespace
}  // namespace andrea
