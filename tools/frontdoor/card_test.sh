#!/usr/bin/env bash
#
# The front door under --config=cuda.
#
# shellcheck disable=SC2016  # the fakes are scripts in single quotes

set -euo pipefail
# shellcheck source=tools/frontdoor/fake_machine.sh
source tools/frontdoor/fake_machine.sh

# toolkit VERSION [FILE...]: a CUDA toolkit in a folder of its own, with nvcc and those files.
toolkit() {
  local file
  mkdir -p "$HOME_OF_TEST"/cuda/{bin,include,lib64}
  for file in "${@:2}"; do touch "$HOME_OF_TEST/cuda/$file"; done
  cat >"$HOME_OF_TEST/cuda/bin/nvcc" <<FAKE
#!/bin/bash
echo nvcc "\$@" >>"\$HOME_OF_TEST/calls"
case \$1 in
  --version) echo "Cuda compilation tools, release $1, V$1.88" ;;
  --list-gpu-code) printf 'sm_80\nsm_90\n' ;;
esac
FAKE
  chmod +x "$HOME_OF_TEST/cuda/bin/nvcc"
}
lesson_03() {
  mkdir -p "$HOME_OF_TEST/tree/solutions/03_attention"
  echo 'solution(' >"$HOME_OF_TEST/tree/solutions/03_attention/BUILD"
  touch "$HOME_OF_TEST/tree/solutions/03_attention/kernel.cu"
}
WHOLE=(include/cuda_runtime.h lib64/libcudart_static.a lib64/libcublas.so lib64/libcublasLt.so)
HERE=CUDA_PATH=$HOME_OF_TEST/cuda
CARD='echo "9.0"'

case_of "no toolkit"
run "$HERE" -- test --config=cuda
status_is 1
says "--config=cuda: there is no bin/nvcc in $HOME_OF_TEST/cuda"
says "Install NVIDIA's CUDA toolkit, version 12 or newer"
check "should be one sentence" test "$(wc -l <<<"$OUTPUT")" = 1
calls_not bazel
lesson_03
run "$HERE" -- train --config=cuda --use solutions:03
status_is 1
says "there is no bin/nvcc"
calls_not bazel

case_of "a toolkit that will not do"
toolkit 11.8 "${WHOLE[@]}"
run "$HERE" -- test --config=cuda
status_is 1
says "is of CUDA 11.8, which is too old"
rm -r "$HOME_OF_TEST/cuda"
toolkit 12.4 "${WHOLE[@]:0:3}"
run "$HERE" -- test --config=cuda
status_is 1
says "but not libcublasLt.so beside the other libraries"
calls_not bazel

case_of "kernels for a card"
toolkit 12.4 "${WHOLE[@]}"
lesson_03
run "$HERE" -- train --config=cuda --cuda_architectures=sm_90 --use solutions:03 --steps 3
status_is 0
calls "|--//kernels:use_attention=//solutions/03_attention:kernels|--config=cuda|--cuda_architectures=sm_90|"
says "<train><--use><solutions:03><--steps><3>"
run "$HERE" -- train --config=run.toml
status_is 0
says "<train><--config=run.toml>"
run "$HERE" -- train --config=cuda
status_is 2
says "the cpu set has none: choose others, as by --kernels solutions"
run "$HERE" -- eval --config=cuda --use solutions:03 --check
status_is 2
says "--check is the simulator's"
run "$HERE" -- bench --config=cuda
status_is 2
says "bench measures the CPU"
run "$HERE" -- sample --cuda_architectures=sm_90
status_is 2
says "--cuda_architectures is for --config=cuda"

case_of "a program on a card"
toolkit 12.4 "${WHOLE[@]}"
fake nvidia-smi <<<"$CARD"
cat >>"$HOME_OF_TEST/cuda/bin/nvcc" <<'FAKE'
while [[ $# -gt 1 && $1 != -o ]]; do shift; done
[[ ${1:-} != -o ]] || printf '#!/bin/bash\necho "ran with <$*>"; exit 3\n' >"$2"
[[ ${1:-} != -o ]] || chmod +x "$2"
FAKE
run "$HERE" -- cuda --config=cuda shift.cu -DTILE=32 -- 7
status_is 3
says "ran with <7>"
calls "-arch=sm_90"
calls "shift.cu -DTILE=32"
check "leaves nothing behind" test -z "$(ls "$HOME_OF_TEST/tmp")"
run "$HERE" -- cuda shift.cu --config=cuda --check
status_is 2
says "compute-sanitizer"

case_of "tests without a card are not run"
toolkit 12.4 "${WHOLE[@]}"
events PASSED FAILED
cat >"$HOME_OF_TEST/bazel_says" <<'TEXT'
FAIL: //t:card_test (see /tmp/testlogs/t/card_test/test.log)
INFO: From Testing //t:card_test:
==================== Test output for //t:card_test:
not run: no CUDA device here (cudaErrorNoDevice: no CUDA-capable device is detected)
================================================================================
//t:card_test                                                            FAILED in 0.1s
TEXT
echo '{"id":{"targetConfigured":{"label":"//a:c"}},"configured":{"testSize":"SMALL"}}
{"id":{"targetCompleted":{"label":"//a:c"}},"aborted":{"reason":"SKIPPED"}}' >>"$HOME_OF_TEST/events"
run "$HERE" FAKE_BAZEL_STATUS=3 -- test --config=cuda //t/...
status_is 77
says "NOT RUN //t:card_test"
says_not "FAILED //t:card_test"
says_not "Test output"
check "last line" test "${OUTPUT##*$'\n'}" = "1 passed, 0 failed, 1 not run: no CUDA device here"
events PASSED FAILED FAILED
cat >>"$HOME_OF_TEST/bazel_says" <<'TEXT'
==================== Test output for //t:card:
expected 3, got 4
================================================================================
//t:card                                                                 FAILED in 0.1s
TEXT
mkdir -p "$HOME_OF_TEST/tree/solutions"
run "$HERE" FAKE_BAZEL_STATUS=3 -- test --config=cuda
status_is 1
says "expected 3, got 4"
says "FAILED //t:card"
check "last line" test "${OUTPUT##*$'\n'}" = "1 passed, 1 failed, 1 not run: no CUDA device here"
calls "|--|//solutions/...|"

case_of "who names a lesson means its exercises"
events PASSED
run -- test //lessons/03_attention/...
calls "|--test_tag_filters=-campaign|"

case_of "doctor and cards"
toolkit 12.4 "${WHOLE[@]}"
run "$HERE" -- doctor
says "12.4, $HOME_OF_TEST/cuda/bin/nvcc"
says "they compile for a card, but none is here"
fake nvidia-smi <<'FAKE'
[[ $1 == *name,* ]] && echo "NVIDIA H200, 143771 MiB, 570.86" || echo 9.0
FAKE
run "$HERE" -- doctor
says "NVIDIA H200, 143771 MiB, driver 570.86"
says "./andrea train --config=cuda --kernels solutions"
run CUDA_PATH=/nowhere -- doctor
says "for the card, the toolkit is missing"

conclude "All is well with cards."
