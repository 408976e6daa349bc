// The surface as the simulator compiles it: every call must succeed.

#include "simulator/tests/host_api/api_surface.cu"

#include "simulator/tests/host_api/host_api.h"

namespace {

using ApiSurface = HostApi;

TEST_F(ApiSurface, EveryCallSucceeds) {
  EXPECT_EQ(surface_of_the_host_api(), 0);
  for (const simulator::Report& report : simulator::published()) EXPECT_FALSE(report.error);
}

}  // namespace
