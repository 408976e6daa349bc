# shellcheck shell=bash
#
# Runs Bazel without its noise: silence while it is quick, one line of progress when it is not, the
# compiler's words when it fails.

read -ra BAZEL_STARTUP <<<"${ANDREA_BAZEL_STARTUP:-}"
read -ra BAZEL_FLAGS <<<"${ANDREA_BAZEL_FLAGS:-}"

LOG=''    # what Bazel or apt said
EVENTS=''  # what Bazel did, as JSON
trap 'rm -f "$LOG" "$EVENTS"' EXIT

# Sets WORKSPACE. Bazel cannot work in a folder whose path has a space: there it gets one of links.
find_workspace() {
  local entry
  WORKSPACE=$ROOT
  [[ $ROOT == *[[:space:]]* ]] || return 0
  WORKSPACE=${TMPDIR:-/tmp}/andrea-$(id -u)-$(cksum <<<"$ROOT" | cut -d' ' -f1)
  mkdir -p "$WORKSPACE"
  find "$WORKSPACE" -maxdepth 1 -type l ! -name 'bazel-*' -delete
  for entry in "$ROOT"/* "$ROOT/.bazelrc"; do
    [[ $entry == */bazel-* ]] || ln -sfn "$entry" "$WORKSPACE/"
  done
}

# run_bazel DOING COMMAND [ARGUMENT...]: what Bazel says goes to $LOG, what it does to $EVENTS.
run_bazel() {
  local doing=$1 command=$2 watcher status=0
  local -a flags=()
  shift 2
  LOG=${LOG:-$(mktemp)}
  EVENTS=${EVENTS:-$(mktemp)}
  # With a remote cache or executor files would be named by where they lie there.
  [[ $command == shutdown ]] || flags=(--color=no --curses=no --show_progress_rate_limit=1
    --build_event_json_file="$EVENTS" --nobuild_event_json_file_path_conversion
    "${COMPILER_FLAGS[@]}" "${BAZEL_FLAGS[@]}")
  watch_bazel "$doing" &
  watcher=$!
  # The standard input is the program's. Which compiler is the set-up's choice, not the environment's.
  (
    cd "$WORKSPACE"
    exec env -u CC -u CXX bazel "${BAZEL_STARTUP[@]}" "$command" "${flags[@]}" "$@"
  ) </dev/null >"$LOG" 2>&1 || status=$?
  kill "$watcher" 2>/dev/null
  wait "$watcher" 2>/dev/null || true
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
  ((status != 8)) || exit 130  # Bazel's status after Ctrl-C
  return "$status"
}

# Tells from the log, after two seconds, what takes so long, and how far it is: on a terminal each second,
# elsewhere after 5, 10, 20, 40 ... seconds, a line each.
watch_bazel() {
  local doing=$1 second line told=false next=5
  for ((second = 1; ; ++second)); do
    sleep 1 >/dev/null 2>&1
    kill -0 $$ 2>/dev/null || return 0
    ((second > 1)) || continue
    if ! $told; then
      told=true
      if grep -qs 'Another command' "$LOG"; then
        say "Another build is using Bazel; waiting for it to end ..."
      elif [[ ! -t 2 ]]; then
        say "$doing ..."
      fi
    fi
    [[ -t 2 ]] || ((second == next)) || continue
    # "[12 / 300] Compiling ..."
    line=$(grep -o '^\[[0-9,]* / [0-9,]*\]' "$LOG" | tail -n 1) || line=''
    if [[ -t 2 ]]; then
      printf '\r\033[K%s ... %s' "$doing" "$line" >&2
    else
      next=$((2 * next))
      [[ -z $line ]] || say "$doing ... $line"
    fi
  done
}

# build_program TARGET [FLAG OR TARGET...]: builds them and sets PROGRAM to the path of the first.
build_program() {
  local doing=Building package=${1%:*} name=${1##*:}
  [[ -e $WORKSPACE/bazel-bin/${package#//} ]] || doing+=" (first time: a few minutes)"
  if ! run_bazel "$doing" build --show_result=0 "${@:2}" "$1"; then
    plain_words >&2
    fail 1 "the build failed; its errors are above."
  fi
  # A warning of the compiler is news to whoever has just changed a kernel.
  ! grep -qs ' warning: ' "$LOG" || plain_words >&2
  find_built "$name"
  rm -f "$LOG" "$EVENTS"  # the trap is lost to exec
}

# Sets PROGRAM to the path of the first file among what was built whose path ends in /NAME. Not by the link
# bazel-bin, which another build may have moved meanwhile.
find_built() {
  PROGRAM=$(sed -nE '/"uri":"file:[^"]*\/'"${1//\//\\/}"'"/{s!.*"uri":"file://([^"]*/'"$1"')".*!\1!p;q}' "$EVENTS")
  PROGRAM=$(printf '%b' "${PROGRAM//%/\\x}")  # %20 is a space
}

# recall_or_build NAME TARGET LIBRARY SOURCE...: sets PROGRAM to the target's path, with a library
# built beside it, if one is named. Bazel needs half a second to see that nothing has to be done. So a
# file tells what was built when and how, and Bazel is asked only if a source, a file or folder
# below the root, is younger.
recall_or_build() {
  local memory begun=${EPOCHREALTIME/,/.} name=$1 target=$2 library=$3
  shift 3
  memory=$(memory_of "$name")
  ! recall_program "$memory" "$target" "$library" "$@" || return 0
  build_program "$target" ${library:+"$library"}
  # By a rename, since another one may read it. Without it the next start takes longer, no more.
  {
    mkdir -p "${memory%/*}" &&
      printf '%s\n' "$PROGRAM" "$begun" "$(program_state "$target" "$library")" >"$memory.$$" &&
      mv "$memory.$$" "$memory"
  } 2>/dev/null || true
}

# Where it is remembered what was built under this name.
memory_of() {
  echo "${XDG_CACHE_HOME:-${HOME:-}/.cache}/andrea/$1-$(cksum <<<"$ROOT" | cut -d' ' -f1)"
}

# Sets PROGRAM to what was built the last time; false if it has to be built.
recall_program() {  # FILE TARGET LIBRARY SOURCE...
  local begun state memory=$1 target=$2 library=$3
  shift 3
  [[ -r $memory ]] || return 1
  { read -r PROGRAM && read -r begun && IFS= read -r state; } <"$memory" || return 1
  [[ -x $PROGRAM && $state == "$(program_state "$target" "$library")" ]] || return 1
  [[ -z $(cd "$ROOT" && find "$@" WORKSPACE .bazelrc -newermt "@$begun" -print -quit 2>&1) ]]
}

# The program may also be built anew with other flags, as by a test under --config=asan.
program_state() {  # TARGET LIBRARY
  local package=${1%:*} folder
  folder=${PROGRAM%"${package#//}/${1##*:}"}
  stat --printf='%s %y ' "$PROGRAM" ${2:+"$folder$(path_of "$2")"} 2>/dev/null || true
  echo "$COMPILER ${BAZEL_STARTUP[*]} ${BAZEL_FLAGS[*]}"
}

# "//a/b:c" is a/b/c.
path_of() {
  local path=${1#//}
  echo "${path/://}"
}

# The log without Bazel's own affairs: the errors of the compiler and the output of failed tests.
plain_words() {
  awk '
    /^=+ Test output for / { in_test = 1; title = $0; next }
    in_test && title != "" { not_run = /^not run: /; if (!not_run) print title; title = "" }
    in_test { if (!not_run) print; if (/^=+$/) in_test = 0; next }
    /^(Loading|Analyzing|INFO|DEBUG|FAIL|FAILED|Target|Use --|Starting local|Extracting|Another|    currently loading:)/ { next }
    /^(WARNING: Running Bazel|WARNING: errors encountered|Executed [0-9]+ out of|\[[0-9,]+ \/ |\/\/.* FAILED|  \/.*test\.log$|$)/ { next }
    { sub(/: error executing command .*/, ""); print }
  ' "$LOG"
}
