// File: report_summary.h
//
// The head of the report: what the run is, how it stands, and its figures in large type.

#ifndef ANDREA_TRAINER_REPORT_REPORT_SUMMARY_H_
#define ANDREA_TRAINER_REPORT_REPORT_SUMMARY_H_

#include <optional>
#include <string>

#include "trainer/report/run_record.h"

namespace andrea {

// The bits a byte that no model beats on the validation text: what the source itself needs for that
// very text or, where only that is known, the source's entropy, its mean over all texts.
std::optional<double> source_limit(const RunRecord& record);

// The head of the page: what was trained, how long, and how good it has become.
std::string summary_html(const RunRecord& record, const std::string& title);

}  // namespace andrea

#endif  // ANDREA_TRAINER_REPORT_REPORT_SUMMARY_H_
