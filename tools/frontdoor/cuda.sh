# shellcheck shell=bash
#
# ./andrea cuda FILE.cu...: hands over to //simulator/tool:cuda, which builds and runs the program.

TOOL=//simulator/tool:cuda
LIBRARY=//simulator:libandrea_simulator.so

run_cuda() {  # [ARGUMENT...]
  take_card_flags "$@"
  set -- "${ARGUMENTS[@]}"
  make_ready
  ! on_a_card || run_cuda_on_a_card "$@"
  recall_or_build cuda/tool "$TOOL" "$LIBRARY" simulator tools/bazel
  exec "$PROGRAM" --compiler "$COMPILER" "$@"
}
