# shellcheck shell=bash
#
# ./andrea cuda FILE.cu...: hands over to //simulator/tool:cuda, which builds and runs the program.
#
# Bazel needs half a second to see that nothing has to be done. So a file tells which tool was built
# when and how, and Bazel is asked only if a file of the simulator is younger.

TOOL=//simulator/tool:cuda
LIBRARY=//simulator:libandrea_simulator.so

run_cuda() {  # [ARGUMENT...]
  local memory begun=${EPOCHREALTIME/,/.}
  take_card_flags "$@"
  set -- "${ARGUMENTS[@]}"
  memory=${XDG_CACHE_HOME:-${HOME:-}/.cache}/andrea/cuda/tool-$(cksum <<<"$ROOT" | cut -d' ' -f1)
  make_ready
  ! on_a_card || run_cuda_on_a_card "$@"
  if ! recall_tool "$memory"; then
    build_program "$TOOL" "$LIBRARY"
    # By a rename, since another one may read it. Without it the next start takes longer, no more.
    {
      mkdir -p "${memory%/*}" && printf '%s\n' "$PROGRAM" "$begun" "$(tool_state)" >"$memory.$$" &&
        mv "$memory.$$" "$memory"
    } 2>/dev/null || true
  fi
  exec "$PROGRAM" --compiler "$COMPILER" "$@"
}

# Sets PROGRAM to what was built the last time; false if it has to be built.
recall_tool() {  # FILE
  local begun state
  [[ -r $1 ]] || return 1
  { read -r PROGRAM && read -r begun && IFS= read -r state; } <"$1" || return 1
  [[ -x $PROGRAM && $state == "$(tool_state)" ]] || return 1
  [[ -z $(find "$ROOT/simulator" "$ROOT/tools/bazel" "$ROOT/WORKSPACE" "$ROOT/.bazelrc" \
    -newermt "@$begun" -print -quit 2>&1) ]]
}

# The library may also be built anew with other flags, as by a test under --config=asan.
tool_state() {
  stat --printf='%s %y ' "$PROGRAM" "${PROGRAM%/tool/cuda}/${LIBRARY#*:}" 2>/dev/null || true
  echo "$COMPILER ${BAZEL_STARTUP[*]} ${BAZEL_FLAGS[*]}"
}
