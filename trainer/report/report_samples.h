// File: report_samples.h
//
// What the model wrote as it learned, the latest first.

#ifndef ANDREA_TRAINER_REPORT_REPORT_SAMPLES_H_
#define ANDREA_TRAINER_REPORT_REPORT_SAMPLES_H_

#include <string>
#include <vector>

#include "trainer/report/run_record.h"

namespace andrea {

// Up to about two dozen steps, the latest open, the others folded to their first words. Of more,
// those are shown whose steps are a constant factor apart, since a model changes as much between
// steps 100 and 200 as between 10,000 and 20,000. "" if there are no samples.
std::string samples_html(const std::vector<Sample>& samples);

}  // namespace andrea

#endif  // ANDREA_TRAINER_REPORT_REPORT_SAMPLES_H_
