#!/usr/bin/env bash
#
# tools/gpu_check/run among programs that only pretend to run kernels; and what it and pack refuse.
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

attempt() {  # COMMAND...
  STATUS=0
  OUTPUT=$(PATH="$FOLDER/bin:$PATH" CUDA_PATH="$FOLDER/none" "$@" 2>&1) || STATUS=$?
}

run() { attempt "$FOLDER/packed/run" "$FOLDER/out"; }

writes() { check "result.json should have '$1'" grep -qF -- "$1" "$FOLDER/out/result.json"; }

CASE="all is well"
packed
run
status_is 0
writes '"verdict": "passed"'
says "# Check of a card: passed"
says "Card: NVIDIA H200, 143771 MiB, 570.86, 9.0. Commit 0123abc."
says "10 passed, 0 failed, 0 not run."
says "3 steps, losses within 2.2e-05 of the CPU"
writes '"card": "NVIDIA H200, 143771 MiB, 570.86, 9.0"'
says "| AdamW | 07.4 |"
writes '"benchmark": {"batch": 16}'
writes '"name": "racecheck of 00_first_kernel_kernel_test_fast", "verdict": "passed"'

CASE="a test fails"
packed
program tests/03_attention_kernel_test_fast <<<'printf "  ok    03.1\n| NOT YET  03.2 \"Softmax\"\n\t\\ \033[1mend\n"; exit 1'
run
status_is 1
says '| 03_attention_kernel_test_fast | failed | 0 | \| NOT YET  03.2 "Softmax" |'
writes '"text": "| NOT YET  03.2 \"Softmax\"\n  ok    03.1\n| NOT YET  03.2 \"Softmax\"\n \\ [1mend"'
writes '"verdict": "failed"'

CASE="losses"

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

CASE="a benchmark breaks off"
packed
program benchmark <<<'echo "| AdamW |"; echo "{" >"$4"; exit 1'
run
status_is 1
writes '"benchmark": null'
says_not "## Times"

CASE="no compute-sanitizer"
packed
rm "$FOLDER/bin/compute-sanitizer"
run
status_is 77
says "6 passed, 0 failed, 2 not run."
writes '"verdict": "incomplete"'

CASE="no card, in a folder with the results of another"
packed
echo '{"batch": 32}' >"$FOLDER/out/benchmark.json"
rm "$FOLDER/bin/compute-sanitizer"
for name in losses/solutions losses/cuda benchmark tests/00_first_kernel_kernel_test_fast tests/02_dot_product_similarity_kernel_test_fast; do
  program "$name" <<<'[[ -n $TEST_TARGET ]] && echo "not run: no CUDA device here"; exit 77'
done
run
status_is 77
says "0 passed, 0 failed"
says "# Check of a card: not run"
says "Nothing was run, so nothing here is a result: not run: no CUDA device here"
writes '"verdict": "not run"'
writes '"benchmark": null'
says_not "## Times"
check "should say that the training was not run" \
  grep -qE '^\| training of cuda in bf16 \| not run \| [0-9]+ \| not run: no CUDA device here \|' <<<"$OUTPUT"

CASE="wrong usage"
packed
attempt "$FOLDER/packed/run" --all
status_is 2
says "run: there is no option --all"
attempt "$FOLDER/packed/run" a b
status_is 2
says "run: one folder for the results, please, not 2."
attempt env BATCH=many "$FOLDER/packed/run" "$FOLDER/out"
status_is 2
says "run: BATCH should be a number of rows from 1 to 9999, not 'many'."
attempt "$FOLDER/packed/run" "$FOLDER/packed/commit.txt/out"
status_is 2
says "run: cannot make the folder $FOLDER/packed/commit.txt/out."
attempt "$RUN" "$FOLDER/out"
status_is 2
says "this script runs in the folder that tools/gpu_check/pack has packed."

attempt tools/gpu_check/pack a b
status_is 2
says "pack: one archive, please, not both"
attempt tools/gpu_check/pack "$FOLDER/out"
status_is 2
says "pack: $FOLDER/out is a folder; name a file for the archive."
attempt tools/gpu_check/pack "$FOLDER/none/archive.tar.gz"
status_is 2
says "pack: cannot write into the folder $FOLDER/none."

CASE=
conclude "The check of a card checks."
