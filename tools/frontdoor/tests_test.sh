#!/usr/bin/env bash
#
# ./andrea test and ./andrea grade: what Bazel is told, and what is made of its words.
#
# shellcheck disable=SC2016  # the fakes are scripts in single quotes

set -euo pipefail
# shellcheck source=tools/frontdoor/fake_machine.sh
source tools/frontdoor/fake_machine.sh

# ---- Tests ----

case_of "tests that pass"
events PASSED PASSED
run -- test --config=asan //trainer/...
status_is 0
check "last line" test "${OUTPUT##*$'\n'}" = "2 passed, 0 failed"
calls "|--test_tag_filters=-exercise,-campaign|"
calls "|--config=asan|--|//trainer/...|"
run -- test --all
calls "|--test_tag_filters=-exercise|"
calls "|--|//...|"

case_of "scores of mutants"
events PASSED
printf '%s\n' "20 of 20 mutants" "" "exercise   written killed   named" "04.1       5 of 5           5 of 5" "" \
  "a confusion" >"$HOME_OF_TEST/test.log"
printf '%s\n' '{"id":{"testResult":{"label":"//tests/mutants:04_layer_norm_kernel","run":1}},"testResult":{"testActionOutput":[{"name":"test.log","uri":"file://'"$HOME_OF_TEST"'/test.log"}]}}' \
  >>"$HOME_OF_TEST/events"
echo '{"id":{"testResult":{"label":"//tests/mutants:score_test","run":1}},"testResult":{"testActionOutput":[{"name":"test.log","uri":"file:///nowhere"}]}}' \
  >>"$HOME_OF_TEST/events"
run -- test --all
status_is 0
says_not "score_test"
says "//tests/mutants:04_layer_norm_kernel"
says "04.1       5 of 5           5 of 5"
says_not "a confusion"

case_of "tests that fail, or are not built"
events PASSED FAILED - TIMEOUT
cat >"$HOME_OF_TEST/bazel_says" <<'TEXT'
FAIL: //t:bad_test (see /tmp/testlogs/t/bad_test/test.log)
INFO: From Testing //t:bad_test:
==================== Test output for //t:bad_test:
INFO: expected 3, got 4
================================================================================
//t:bad_test                                                     FAILED TO BUILD
//t:sad_test                                                             FAILED in 0.1s
TEXT
run FAKE_BAZEL_STATUS=3 -- test
status_is 1
says "INFO: expected 3, got 4"
says "FAILED TO BUILD //t:bad_test"
says "FAILED //t:sad_test"
says_not "From Testing"
check "last line" test "${OUTPUT##*$'\n'}" = "1 passed, 3 failed"

case_of "no tests at all"
events
run FAKE_BAZEL_STATUS=4 -- test //nothing/...
status_is 1
says "no test was found in //nothing/..."

# ---- Grades ----

# A grader that has taken the submissions in already.
class_is_taken_in() {
  echo '{"completed":[{"name":"x/grade","uri":"file://'"$HOME_OF_TEST"'/grade"}]}' \
    >"$HOME_OF_TEST/events"
  cp "$HOME_OF_TEST/andrea" "$HOME_OF_TEST/grade"
  mkdir -p "$HOME_OF_TEST/tree/tools/course/grader"
  touch "$HOME_OF_TEST/include/"{archive.h,seccomp.h}
  fake bwrap <<<''
  mkdir -p "$HOME_OF_TEST/reports/workspace"
  echo "--flag-of=the class" >"$HOME_OF_TEST/reports/workspace/bazel.flags"
  echo "//graded/ada:kernel" >"$HOME_OF_TEST/reports/workspace/targets"
}

case_of "a class is graded: taken in, built, reported"
class_is_taken_in
run -- grade class --out "$HOME_OF_TEST/reports" --lesson 00 -- --config=remote
status_is 0
says "<--step><prepare><class><--out><$HOME_OF_TEST/reports><--lesson><00>"
says "<--step><report><--events>"
says_not "config=remote"
calls "|build|"
calls "|--keep_going|"
calls "|--flag-of=the class|--config=remote|"

case_of "submissions that do not compile are the report's affair, a Bazel that cannot work is not"
class_is_taken_in
run FAKE_GRADING_STATUS=1 -- grade class --out="$HOME_OF_TEST/reports"
status_is 0
says "<--step><report>"
echo "ERROR: no such flag" >"$HOME_OF_TEST/bazel_says"
run FAKE_GRADING_STATUS=2 -- grade class --out="$HOME_OF_TEST/reports"
status_is 1
says "ERROR: no such flag"
says "Bazel could not grade"

case_of "a class that nobody can compile anything of, and a grader that refuses"
class_is_taken_in
: >"$HOME_OF_TEST/reports/workspace/targets"
run -- grade class --out "$HOME_OF_TEST/reports"
status_is 0
calls_not "|--keep_going|"
run FAKE_PROGRAM_STATUS=2 -- grade class --out "$HOME_OF_TEST/reports"
status_is 2
says_not "<report>"

case_of "a student's edition has no grader, and needs nothing of what it needs"
run -- grade class --out "$HOME_OF_TEST/reports"
status_is 2
says "this edition has no grader"
mkdir -p "$HOME_OF_TEST/tree/tools/course/grader"
run -- setup
says "bubblewrap"
says "libarchive-dev"

conclude "All is well with tests and grades."
