# shellcheck shell=bash
#
# ./andrea grade SUBMISSIONS --out REPORTS [OPTION...] [-- BAZEL FLAG...]
#
# The grader takes the submissions in, Bazel compiles and judges them, the grader reports. What Bazel
# has done it does not do again: after Ctrl-C, or with one submission more, only the rest is done.

GRADER=//tools/course/grader:grade
CONFINE=//tools/course/grader/confine:confine

run_grade() {
  local argument out='' confine status=0
  local -a words=() flags=() own_flags=()
  while (($# > 0)) && [[ $1 != -- ]]; do
    words+=("$1")
    case $1 in
      --out=*) out=${1#*=} ;;
      --out) out=${2:-} ;;
    esac
    shift
  done
  flags=("${@:2}")
  [[ -d $ROOT/tools/course/grader ]] || fail 2 "grading is for instructors; this edition has no grader."

  make_ready
  build_program "$GRADER" "$CONFINE"
  confine=${PROGRAM%/grade}/confine/confine
  for argument in "${words[@]:---help}"; do
    [[ $argument != -h && $argument != --help ]] || exec "$PROGRAM" --help
  done
  "$PROGRAM" --root "$ROOT" --confine "$confine" --step prepare "${words[@]}" || exit

  mapfile -t own_flags <"$out/workspace/bazel.flags"
  if [[ -s $out/workspace/targets ]]; then
    run_bazel Grading build --keep_going --show_result=0 "${own_flags[@]}" "${flags[@]}" || status=$?
  else
    LOG=$(mktemp) EVENTS=$(mktemp)  # nobody handed in anything that can be compiled
  fi
  # 1: something did not build, which is for the report to tell.
  if ((status > 1)); then
    plain_words >&2
    fail 1 "Bazel could not grade (its status: $status); its words are above."
  fi
  status=0
  "$PROGRAM" --root "$ROOT" --step report --events "$EVENTS" "${words[@]}" || status=$?
  if ((status == 1)) && grep -qs '^ERROR: ' "$LOG"; then
    say "Bazel's first error: $(grep -m 1 '^ERROR: ' "$LOG" | cut -c1-400)"
  fi
  exit "$status"
}
