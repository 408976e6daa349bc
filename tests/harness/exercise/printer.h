// File: printer.h
//
// Tests of exercises as a person wants them told: a line an exercise, the reason of the first that
// fails, and nothing else.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_PRINTER_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_PRINTER_H_

namespace andrea {

// In place of GoogleTest's own printer. After InitGoogleTest.
void print_as_exercises();

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_PRINTER_H_
