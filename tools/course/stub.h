// File: stub.h
//
// The exercise, cut out of its solution: the file that a student gets is made from the one that the
// instructor has, so that the two never differ but in the marked regions.
//
// A region of a solution:
//
//     // SOLUTION(02.1): the sum of the products of two rows.
//     float sum = 0;
//     for (int c = 0; c < C; ++c) sum += a[c] * b[c];
//     return sum;
//     // STUB
//     // return 0;
//     // END(02.1)
//
// becomes
//
//     // TODO(02.1): the sum of the products of two rows, about 3 lines.
//     return 0;
//
// The task is a sentence, of one line or more. What stands between STUB and END is code in
// comments, which the exercise has instead of the solution; the two lines may be left out where the
// exercise has nothing. The number of lines is counted, without blank lines and comments; it is
// left out where the stub brings code of more than one line, since then the student mends and does
// not write, and where one line stands for another.

#ifndef ANDREA_TOOLS_COURSE_STUB_H_
#define ANDREA_TOOLS_COURSE_STUB_H_

#include <string>
#include <vector>

namespace andrea::course {

struct Region {
  std::string exercise;  // "02.1"
  std::string task;      // "the sum of the products of two rows"
  std::string code;      // of the solution: its lines as they stand, without marks, task and stub
  int first_line = 0;    // of the SOLUTION line, from 1
  int last_line = 0;     // of the END line
  int code_lines = 0;    // of the code, without blank lines and comments
};

// Whether the text has marked regions, and so is a solution.
bool has_regions(const std::string& text);

// `file` is the name in messages. Both throw std::runtime_error, with file and line, for a region
// that is not closed, closed by another's END, or lies in another, and for a task without an end.
std::string stub_of(const std::string& solution, const std::string& file);
std::vector<Region> regions_of(const std::string& solution, const std::string& file);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_STUB_H_
