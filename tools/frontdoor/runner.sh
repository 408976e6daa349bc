# shellcheck shell=bash
#
# ./andrea alone, check, watch, hint, next, status, reset, solution, profile, ide: hands over to
# //tools/course/runner:runner, which builds and runs the lessons' tests itself.

RUNNER=//tools/course/runner:runner

# ./andrea alone. What is first is said at once, and not only after the first build.
run_where() {
  check_platform
  find_missing
  if ((${#MISSING[@]} == 0)) && [[ -e $(memory_of runner) ]]; then run_runner where; fi
  echo "ANDREA: write the kernels of a GPT-style language model and train it."
  echo
  echo "Nothing is built yet. The way in:"
  echo
  ((${#MISSING[@]} == 0)) ||
    echo "  ./andrea setup     installs what the build needs: ${MISSING[*]}"
  cat <<'TEXT'
  read               lessons/README.md, and lessons/00_first_kernel/README.md
  open               lessons/00_first_kernel/kernel.cu in an editor
  ./andrea watch     in a terminal beside it: tests what you save, says what is next
                     (the first build takes minutes, later ones seconds)

All commands: ./andrea help
TEXT
}

run_runner() {  # COMMAND [ARGUMENT...]
  local word
  local -a options=()
  make_ready
  recall_or_build runner "$RUNNER" '' tools/course trainer/base simulator/rewriter simulator/tool \
    tests/harness/exercise/frame.h tools/bazel
  options=(--root "$ROOT" --workspace "$WORKSPACE")
  for word in "${BAZEL_STARTUP[@]}"; do options+=("--bazel-startup=$word"); done
  for word in "${COMPILER_FLAGS[@]}" "${BAZEL_FLAGS[@]}"; do options+=("--bazel-flag=$word"); done
  exec "$PROGRAM" "${options[@]}" "$@"
}
