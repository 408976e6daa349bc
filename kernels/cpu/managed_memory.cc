// On a card: the `cpu` set, wherever it is linked in, works on memory that the CPU reaches.

#include "kernels/device_buffer.h"

namespace andrea {
namespace {

[[maybe_unused]] const bool set = (buffers_are_managed = true);

}  // namespace
}  // namespace andrea
