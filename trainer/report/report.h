// File: report.h
//
// The report of a training run: one HTML file that any browser shows, with no network and no other
// file. Loss curves with the limit that the source of the text sets, learning rate, gradient norm,
// tokens a second, samples from the latest back to the first noise, configuration and kernels.
//
//   write_report("runs/tiny");  // then open runs/tiny/report.html

#ifndef ANDREA_TRAINER_REPORT_REPORT_H_
#define ANDREA_TRAINER_REPORT_REPORT_H_

#include <filesystem>
#include <string>

#include "trainer/report/run_record.h"

namespace andrea {

// The page. It is below 1 MB however long the run: curves are thinned, and of many samples it shows
// those whose steps are some factor apart, each cut if it is long.
std::string report_html(const RunRecord& record);

// Reads what is in the run's folder (run_record.h) and replaces its report.html. It may be called
// at any time, also while the run goes on. Error: a damaged file in the folder, or one that cannot
// be written.
void write_report(const std::filesystem::path& run_folder);

}  // namespace andrea

#endif  // ANDREA_TRAINER_REPORT_REPORT_H_
