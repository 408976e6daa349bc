// Makes the simulator forget what it has told.
namespace simulator {
void forget_published();
}  // namespace simulator
// ---- map
simulator::forget_published();
