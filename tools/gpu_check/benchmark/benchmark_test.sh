#!/usr/bin/env bash
#
# The benchmark of a card, on the simulated one and a shape that is done at once.

set -euo pipefail
# shellcheck source=tests/harness/shell/checks.sh
source tests/harness/shell/checks.sh

BENCHMARK=tools/gpu_check/benchmark/benchmark
FOLDER=$(mktemp -d "${TEST_TMPDIR:-/tmp}/benchmark.XXXXXX")
trap 'rm -rf "$FOLDER"' EXIT

run() {
  STATUS=0
  OUTPUT=$("$BENCHMARK" --repeats 1 --layers 1 --context 33 --batch 1 --square 64 "$@" 2>&1) || STATUS=$?
}

CASE="a small shape"
run --width 48 --heads 3 --out "$FOLDER/result.json"
status_is 0
says "| attention, backward | 03.9 |"
says "| AdamW | 07.4 |"
says "| left to cublasLt | ms |"
says "tokens a second"
OUTPUT=$(cat "$FOLDER/result.json")
says '"products_share_of_step"'

CASE="shapes that are refused"
run --width 40 --heads 4
status_is 2
says "This shape cannot be timed: the cuda set's attention has heads of 16, 32,"
run --width 40 --heads 3
status_is 2
says "This shape cannot be timed: the heads do not divide the width."

CASE="a file that cannot be written"
run --width 48 --heads 3 --out "$FOLDER/none/result.json"
status_is 1
says "Cannot write $FOLDER/none/result.json."

conclude "The benchmark runs, and refuses what it must."
