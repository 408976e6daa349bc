#include "kernels/origins.h"

namespace andrea {

const std::vector<KernelOrigin>& kernel_origins() {
  static const std::vector<KernelOrigin> origins = {
#include "kernels/origins.inc"
  };
  return origins;
}

bool kernels_are_checked() { return ANDREA_KERNELS_ARE_CHECKED; }

}  // namespace andrea
