#include "simulator/runtime/observer.h"

namespace simulator {

Observer* the_observer = nullptr;

}  // namespace simulator
