// File: axis.h
//
// One axis of a chart: where a value lies on it, and the round numbers that are marked.
//
//   const Axis axis(Scale::linear, 0, 2000);
//   axis.position(500)  is 0.25
//   axis.ticks(5)       0, 500, 1,000, 1,500, 2,000

#ifndef ANDREA_TRAINER_REPORT_AXIS_H_
#define ANDREA_TRAINER_REPORT_AXIS_H_

#include <string>
#include <vector>

namespace andrea {

// Equal distances are equal differences, or equal ratios.
enum class Scale { linear, logarithmic };

// A mark on the axis.
struct Tick {
  double value;       // where it stands
  std::string label;  // what stands at it
};

class Axis {
 public:
  // Both ends finite; on a logarithmic axis both positive. Ends that coincide are moved apart, so
  // that a chart of a constant is drawn like any other.
  Axis(Scale scale, double low, double high);

  Scale scale() const { return scale_; }  // linear or logarithmic
  double low() const { return low_; }     // the value at the beginning
  double high() const { return high_; }   // the value at the end

  // 0 at low(), 1 at high(), beyond them outside that range. NaN for a value that has no place: one
  // that is not finite or, on a logarithmic axis, not positive.
  double position(double value) const;

  // Rising, within the axis, at_most (at least 2) of them. Linear: multiples of 1, 2 or 5 times a
  // power of ten. Logarithmic: such numbers themselves, as densely as there is room; between 2 and
  // 3, where there are hardly any, those of the linear axis. whole: whole numbers only.
  std::vector<Tick> ticks(int at_most, bool whole = false) const;

 private:
  Scale scale_;
  double low_, high_;
};

// The end of a linear axis that lets it begin on a tick: the largest tick not above low.
double round_down_to_tick(double low, double high, int ticks);

}  // namespace andrea

#endif  // ANDREA_TRAINER_REPORT_AXIS_H_
