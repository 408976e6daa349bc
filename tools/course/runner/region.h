// File: region.h
//
// Where the work on one exercise stands in the student's file. The TODO that marked it may be gone
// by now, so its place is found by the lines round it, which are those of the stub.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_REGION_H_
#define ANDREA_TOOLS_COURSE_RUNNER_REGION_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace andrea::course {

// Lines of a text, from 0, the last one not counted in.
struct LineRange {
  std::size_t begin = 0, end = 0;
};

// The same place in the stub and in the student's text.
struct WorkPlace {
  LineRange in_stub, in_work;
};

// The places of an exercise, of which it may have several, in order. Nothing where the stub has no
// TODO of it, or where a place cannot be told for certain, since the lines round it have changed.
std::optional<std::vector<WorkPlace>> places_of(const std::string& stub, const std::string& work,
                                                const std::string& exercise);

// The work with these places as the stub has them.
std::string put_back(const std::string& stub, const std::string& work,
                     const std::vector<WorkPlace>& places);

// The exercises whose TODOs the stub has, in their order.
std::vector<std::string> exercises_in(const std::string& stub);

// The exercise in whose places the two versions of the work differ; empty where that is none or
// more than one, or cannot be told.
std::string exercise_changed(const std::string& stub, const std::string& before,
                             const std::string& after);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_REGION_H_
