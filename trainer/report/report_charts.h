// File: report_charts.h
//
// The charts of the report: what is drawn of the metrics, and how.

#ifndef ANDREA_TRAINER_REPORT_REPORT_CHARTS_H_
#define ANDREA_TRAINER_REPORT_REPORT_CHARTS_H_

#include <string>

#include "trainer/report/run_record.h"

namespace andrea {

// Those charts that have anything to draw; "" if none has.
std::string charts_html(const RunRecord& record);

}  // namespace andrea

#endif  // ANDREA_TRAINER_REPORT_REPORT_CHARTS_H_
