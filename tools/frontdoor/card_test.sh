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
cuda_set() {
  mkdir -p "$HOME_OF_TEST/tree/kernels/cuda"
  touch "$HOME_OF_TEST/tree/kernels/cuda/BUILD"
}
WHOLE_CUDA_SET="|--//kernels:use_transformer=//kernels/cuda:transformer|--//kernels:use_training_pass=//kernels/cuda:transformer\
|--//kernels:use_decode=//kernels/cuda:decode|"
WHOLE=(include/cuda_runtime.h lib64/libcudart_static.a lib64/libcublas.so lib64/libcublasLt.so)
HERE=CUDA_PATH=$HOME_OF_TEST/cuda
CARD='echo "9.0"'

case_of "no toolkit"
run "$HERE" -- test --config=cuda
status_is 1
says "to compile for a card: there is no bin/nvcc in $HOME_OF_TEST/cuda"
says "Install NVIDIA's CUDA toolkit, version 12 or newer"
check "should be one sentence" test "$(wc -l <<<"$OUTPUT")" = 1
calls_not bazel
lesson_03
cuda_set
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
cuda_set
run "$HERE" -- train --config=cuda --cuda_architectures=sm_90 --use solutions:03 --steps 3
status_is 0
calls "|--//kernels:use_attention=//solutions/03_attention:kernels|"
calls "|--//kernels:use_decode=//kernels/composed:decode|--config=cuda|--cuda_architectures=sm_90|"
says "<train><--device=gpu><--use><solutions:03><--steps><3>"
run "$HERE" -- train --config=run.toml
status_is 0
says "<train><--config=run.toml>"
run "$HERE" -- train --config=cuda --kernels cpu
status_is 2
says "the cpu set has no kernels for a card: take others, as by --kernels cuda"
run "$HERE" -- eval --config=cuda --use solutions:03 --check
status_is 2
says "--check is the simulator's"
run "$HERE" -- bench --config=cuda
status_is 2
says "bench measures the CPU"
run "$HERE" -- bench --device gpu
status_is 2
says "bench measures the CPU"
run "$HERE" -- train --config=cuda --device cpu
status_is 2
says "--device cpu and --config=cuda are opposites"
run "$HERE" -- train --device card
status_is 2
says "--device is gpu, cpu or auto, not 'card'"
run "$HERE" -- sample --cuda_architectures=sm_90
status_is 2
says "--cuda_architectures is for --config=cuda"

case_of "the tuned set is a card's own"
toolkit 12.4 "${WHOLE[@]}"
cuda_set
run "$HERE" -- train --device gpu --steps 3
status_is 0
calls "$WHOLE_CUDA_SET--config=cuda|"
says "<train><--device><gpu><--steps><3>"

case_of "a card that is here is taken, and told"
toolkit 12.4 "${WHOLE[@]}"
cuda_set
lesson_03
fake nvidia-smi <<'FAKE'
[[ $1 == *name,* ]] && echo "NVIDIA H200, 143771 MiB, 570.86" || echo 9.0
FAKE
run "$HERE" -- train --steps 3
status_is 0
says "On the card (NVIDIA H200, 143771 MiB, driver 570.86); --device cpu takes the CPU."
says "<train><--steps><3>"
calls "$WHOLE_CUDA_SET--config=cuda|"
run CUDA_PATH=/nowhere -- train --steps 3
status_is 0
says "On the CPU, since nothing compiles for the card (NVIDIA H200"
says "there is no bin/nvcc in /nowhere"

case_of "who names kernels, or the CPU, has the simulator"
toolkit 12.4 "${WHOLE[@]}"
cuda_set
lesson_03
fake nvidia-smi <<<'echo 9.0'
for words in "--device cpu" "--kernels cuda" "--use solutions:03" "--kernels cpu" "--check"; do
  # shellcheck disable=SC2086
  run "$HERE" -- train $words
  status_is 0
  says_not "On the card"
done
run "$HERE" -- bench
status_is 0
calls_not "--config=cuda"

case_of "a run that goes on has its own device and kernels"
toolkit 12.4 "${WHOLE[@]}"
cuda_set
lesson_03
mkdir -p "$HOME_OF_TEST/run"
printf 'seed = 1\ndevice = "gpu"\nkernels = "cuda"\nuse = ["solutions:03","cpu:04"]\n' >"$HOME_OF_TEST/run/config.toml"
for words in "--resume --out $HOME_OF_TEST/run" "--config=$HOME_OF_TEST/run/config.toml"; do
  : >"$CALLS"
  # shellcheck disable=SC2086
  run "$HERE" -- train $words
  status_is 0
  calls "|--//kernels:use_attention=//solutions/03_attention:kernels|--//kernels:use_linear=//kernels/cuda:linear|"
  calls "|--config=cuda|"
done
: >"$CALLS"
run "$HERE" -- train --resume --out "$HOME_OF_TEST/run" --device cpu --kernels cpu --use cpu:01
status_is 0
calls_not "--config=cuda"
calls_not "use_attention"

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
says "Models train on the card, or with --device cpu on the CPU"
run CUDA_PATH=/nowhere -- doctor
says "for the card, the toolkit is missing"

conclude "All is well with cards."
