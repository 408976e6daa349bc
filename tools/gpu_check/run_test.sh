#!/usr/bin/env bash
#
# tools/gpu_check/run among programs that only pretend to run kernels.
#
# shellcheck disable=SC2016  # the programs are scripts in single quotes

set -euo pipefail
# shellcheck source=tests/harness/shell/checks.sh
source tests/harness/shell/checks.sh

FOLDER=$(mktemp -d "${TEST_TMPDIR:-/tmp}/gpu_check.XXXXXX")
trap 'rm -rf "$FOLDER"' EXIT
RUN=$PWD/tools/gpu_check/run

program() {  # NAME, its script on standard input
  { echo '#!/bin/bash'; cat; } >"$FOLDER/packed/$1"
  chmod +x "$FOLDER/packed/$1"
}

# A packed folder in which all is well, and a machine with a card and compute-sanitizer.
packed() {
  rm -rf "${FOLDER:?}"/*
  mkdir -p "$FOLDER"/{packed/tests,packed/losses,bin,out}
  cp -L "$RUN" "$FOLDER/packed/run"
  echo 0123abc >"$FOLDER/packed/commit.txt"
  printf '%s\n' "4.5 1.5" "4.4 1.4" "4.3 1.3" >"$FOLDER/packed/losses_of_the_cpu.txt"
  program losses/solutions <<<'printf "%s\n" "4.5001 1.5" "4.4 1.4" "4.3 1.3"'
  program losses/cuda <<<'printf "%s\n" "4.5 1.5" "4.4 1.4" "4.3 1.3"'
  program benchmark <<<'echo "| AdamW | 07.4 |"; echo "{\"batch\": $2}" >"$4"'
  program tests/00_first_kernel_kernel_test_fast <<<'echo "8 of 8 are done."'
  program tests/02_dot_product_similarity_kernel_test_fast <<<'echo "5 of 5 are done."'
  program ../bin/nvidia-smi <<<'echo "NVIDIA H200, 143771 MiB, 570.86, 9.0"'
  program ../bin/compute-sanitizer <<<'while [[ $1 == --* ]]; do shift 2; done; "$@"'
}

run() {
  STATUS=0
  OUTPUT=$(PATH="$FOLDER/bin:$PATH" "$FOLDER/packed/run" "$FOLDER/out" 2>&1) || STATUS=$?
}

writes() { check "result.json should have '$1'" grep -qF -- "$1" "$FOLDER/out/result.json"; }

packed
run
status_is 0
says "Card: NVIDIA H200, 143771 MiB, 570.86, 9.0. Commit 0123abc."
says "10 passed, 0 failed, 0 not run."
says "3 steps, losses within 2.2e-05 of the CPU"
writes '"card": "NVIDIA H200, 143771 MiB, 570.86, 9.0"'
says "| AdamW | 07.4 |"
writes '"benchmark": {"batch": 16}'
writes '"name": "racecheck of 00_first_kernel_kernel_test_fast", "verdict": "passed"'

packed
program tests/03_attention_kernel_test_fast <<<'printf "  ok    03.1\nNOT YET  03.2 \"Softmax\"\n"; exit 1'
run
status_is 1
says "| 03_attention_kernel_test_fast | failed |"
writes 'NOT YET  03.2 \"Softmax\"\n'

for losses in '"4.5 1.5" "4.4 1.4" "4.31 1.3"' '"4.5 1.5" "4.4 1.4" "nan 1.3"' '"4.5 1.5" "4.4 1.4" "4.3 1.4"'; do
  packed
  program losses/solutions <<<"printf '%s\n' $losses"
  run
  status_is 1
  says "the losses part at step 3"
done
packed
program losses/solutions <<<'echo "4.5 1.5"'
run
status_is 1
says "it made 1 of 3 steps"

packed
rm "$FOLDER/bin/compute-sanitizer"
for name in losses/solutions losses/cuda benchmark tests/00_first_kernel_kernel_test_fast tests/02_dot_product_similarity_kernel_test_fast; do
  program "$name" <<<'[[ -n $TEST_TARGET ]] && echo "not run: no CUDA device here"; exit 77'
done
run
status_is 77
says "0 passed, 0 failed"
check "should say that the training was not run" \
  grep -qE '^\| training of cuda in bf16 \| not run \| [0-9]+ \| not run: no CUDA device here \|' <<<"$OUTPUT"

conclude "The check of a card checks."
