// File: exam.h
//
// What an exam brings along, so that the tests know of it without a word about exams in their own
// build: a source made of its exam.json and messages.json (tools/bazel/lesson.bzl) has one of
// these, and is linked with the exam's tests.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_EXAM_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_EXAM_H_

namespace andrea {

struct Exam {
  // The texts of the exam's own exam.json and messages.json.
  Exam(const char* course, const char* messages);
};

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_EXAM_H_
