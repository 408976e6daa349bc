// File: schedule.h
//
// The learning rate of each step: a linear rise, then half a cosine down (Loshchilov and Hutter
// 2017, SGDR, equation 5 with one cycle).

#ifndef ANDREA_TRAINER_RUN_SCHEDULE_H_
#define ANDREA_TRAINER_RUN_SCHEDULE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace andrea {

struct Schedule {
  double peak;            // the largest learning rate
  double final_fraction;  // of the peak, reached at the last step
  std::int64_t warmup;    // steps until the peak
  std::int64_t steps;     // in all

  // Steps count from 1.
  double learning_rate(std::int64_t step) const {
    if (step <= warmup) return peak * static_cast<double>(step) / static_cast<double>(warmup);
    const double length = static_cast<double>(std::max<std::int64_t>(steps - warmup, 1));
    const double done = std::min(1.0, static_cast<double>(step - warmup) / length);
    const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * done));
    return peak * (final_fraction + (1 - final_fraction) * cosine);
  }
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_SCHEDULE_H_
