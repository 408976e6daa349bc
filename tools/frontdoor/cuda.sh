# shellcheck shell=bash
#
# ./andrea cuda FILE.cu...: hands over to //simulator/tool:cuda, which builds and runs the program.

TOOL=//simulator/tool:cuda
LIBRARY=//simulator:libandrea_simulator.so

run_cuda() {  # [ARGUMENT...]
  make_ready
  recall_or_build cuda/tool "$TOOL" "$LIBRARY" simulator tools/bazel
  exec "$PROGRAM" --compiler "$COMPILER" "$@"
}
