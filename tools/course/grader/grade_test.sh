#!/usr/bin/env bash
#
# The program behind `./andrea grade` by itself, as the front door calls it: what it refuses, what it
# lays out, what it tells when nothing, or not all, was graded.

set -euo pipefail
# shellcheck source=tests/harness/shell/checks.sh
source tests/harness/shell/checks.sh

GRADE=$PWD/tools/course/grader/grade
HOME_OF_TEST=$(mktemp -d "${TEST_TMPDIR:-/tmp}/grade.XXXXXX")
trap 'rm -rf "$HOME_OF_TEST"' EXIT

# A tree with nothing but the course, a class of two, and walls that may be had or not.
mkdir -p "$HOME_OF_TEST/tree/lessons" "$HOME_OF_TEST/class/ada/lessons/00_first_kernel" \
  "$HOME_OF_TEST/class/bob"
cp -L lessons/course.json "$HOME_OF_TEST/tree/lessons/"
echo "// hers" >"$HOME_OF_TEST/class/ada/lessons/00_first_kernel/kernel.cu"
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ -z "$NO_WALLS" ] || { echo "no walls here" >&2; exit 125; }\n' >"$HOME_OF_TEST/confine"
chmod +x "$HOME_OF_TEST/confine"
cd "$HOME_OF_TEST"

run() {
  STATUS=0
  OUTPUT=$("$GRADE" --root tree --confine "$HOME_OF_TEST/confine" "$@" 2>&1) || STATUS=$?
}

run --step prepare class --out tree/reports
status_is 2
says "lies within this repository; choose one outside of it"

run --step prepare class --out "my reports"
status_is 2
says "has a blank"

run --step prepare nowhere --out reports
status_is 2
says "'nowhere' is not a folder"

run --step prepare class --out reports --lesson 99
status_is 2
says "there is no lesson '99'"

run --step prepare class --out reports --lesson 01
status_is 0
check "nothing to build" test ! -s reports/workspace/targets

run --step prepare class
status_is 2
says "--out is required"

export NO_WALLS=1
run --step prepare class --out reports
status_is 2
says "no walls here"
says "--unconfined"
run --step prepare class --out reports --unconfined
status_is 0
unset NO_WALLS

# First all is zero, whatever comes.
run --step prepare class --out reports
status_is 0
says "2 submissions, lesson 00."
check "zero points" grep -q '"score": 0' reports/submissions/ada/results.json
check "a line for each" test "$(wc -l <reports/grades.csv)" = 3
check "a target" grep -qx '//graded/ada/lessons/00_first_kernel:kernel' reports/workspace/targets

: >events
run --step report class --out reports --events events
status_is 1
says "not graded: 00/kernel.cu"
says "not everything could be graded"

echo '{"testsuites":[{"testsuite":[{"status":"RUN","result":"COMPLETED","exercise":"00.1"}]}]}' >kernel.json
echo '{"namedSetOfFiles":{"files":[{"name":"graded/ada/lessons/00_first_kernel/kernel.json",
"uri":"file://'"$HOME_OF_TEST"'/kernel.json"}]}}' | tr -d '\n' >events
run --step report class --out reports --events events
status_is 0
check "points of 00.1" grep -q '"score": 2' reports/submissions/ada/results.json
says "not handed in: lesson 00; no file of the lessons was found in it."

conclude "All is well."
