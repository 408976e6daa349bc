# shellcheck shell=bash
#
# For the tests of the front door: a machine on which programs only pretend. A copy of the front door stands in a
# folder of its own, with a PATH that holds nothing but fakes of apt-get, bazel, sudo, uname and the like, and
# a few real tools. Each fake writes what it was asked to "$HOME_OF_TEST/calls".
#
# shellcheck disable=SC2016  # the fakes are scripts in single quotes

# shellcheck source=tests/harness/shell/checks.sh
source tests/harness/shell/checks.sh

SOURCE=$PWD
HOME_OF_TEST=$(mktemp -d "${TEST_TMPDIR:-/tmp}/front_door.XXXXXX")
export HOME_OF_TEST
trap 'rm -rf "$HOME_OF_TEST"' EXIT
CALLS=$HOME_OF_TEST/calls

fake() {  # NAME, its script on standard input
  { echo '#!/bin/bash'; cat; } >"$HOME_OF_TEST/bin/$1"
  chmod +x "$HOME_OF_TEST/bin/$1"
}

# A Debian machine with all that is needed, where a user and not root works.
machine() {
  local tool header
  rm -rf "${HOME_OF_TEST:?}"/*
  mkdir -p "$HOME_OF_TEST"/{bin,include,tree/tools/frontdoor,tree/trainer,tmp}
  cp -L "$SOURCE/andrea" "$HOME_OF_TEST/tree/"
  cp -L "$SOURCE"/tools/frontdoor/*.sh "$HOME_OF_TEST/tree/tools/frontdoor/"
  for tool in awk bash cat chmod cksum cut df dirname env find grep head ln mkdir mktemp mv nproc paste \
    readlink rm sed sleep stat tail tr; do
    ln -s "$(command -v "$tool")" "$HOME_OF_TEST/bin/$tool"
  done
  for header in CLI Eigen benchmark gtest nlohmann oneapi pcre2.h zlib.h; do
    touch "$HOME_OF_TEST/include/$header"
  done
  mkdir "$HOME_OF_TEST"/{theme,mathjax}
  touch "$HOME_OF_TEST"/include/{cmark-gfm,cmark-gfm-core-extensions}.h \
    "$HOME_OF_TEST/theme/doxygen-awesome.css" "$HOME_OF_TEST/mathjax/MathJax.js"
  fake doxygen <<<''
  fake dot <<<''
  touch "$CALLS"
  fake uname <<<'echo ${FAKE_SYSTEM:-Linux x86_64}'
  fake id <<<'echo ${FAKE_USER:-1000}'
  fake gcc <<<'echo ${FAKE_COMPILER:-12}'
  fake g++ <<<'echo ${FAKE_COMPILER:-12}'
  fake sudo <<<'echo "sudo $*" >>"$HOME_OF_TEST/calls"; "$@"'
  fake apt-cache <<<'[[ -z ${FAKE_ARCHIVE_LACKS:-} || " $* " != *" $FAKE_ARCHIVE_LACKS "* ]]'
  fake apt-get <<'FAKE'
echo "apt-get $*" >>"$HOME_OF_TEST/calls"
[[ " $* " == *" install "* ]] || exit 0
[[ -z ${FAKE_APT_FAILS:-} ]] || { echo "E: no network"; exit 100; }
touch "$HOME_OF_TEST/include/"{Eigen,oneapi,cblas.h}
FAKE
  fake bazel <<'FAKE'
cat >/dev/null  # as if it read the standard input
printf '%s|' bazel "$@" >>"$HOME_OF_TEST/calls"
echo " in $PWD" >>"$HOME_OF_TEST/calls"
for argument; do
  [[ $argument != --build_event_json_file=* ]] || cp "$HOME_OF_TEST/events" "${argument#*=}"
done
cat "$HOME_OF_TEST/bazel_says" 2>/dev/null
sleep "${FAKE_BAZEL_SECONDS:-0}"
[[ -z ${FAKE_GRADING_STATUS:-} || " $* " != *" --keep_going "* ]] || exit "$FAKE_GRADING_STATUS"
exit "${FAKE_BAZEL_STATUS:-0}"
FAKE
  ln -s "$(command -v cp)" "$(command -v touch)" "$HOME_OF_TEST/bin/"
  cat >"$HOME_OF_TEST/andrea" <<'FAKE'
#!/bin/bash
printf '<%s>' "$@"
echo " in $PWD"
[[ $1 != sample ]] || cat
exit "${FAKE_PROGRAM_STATUS:-0}"
FAKE
  chmod +x "$HOME_OF_TEST/andrea"
}

# The environment of what runs there.
ENVIRONMENT=(HOME_OF_TEST="$HOME_OF_TEST" PATH="$HOME_OF_TEST/bin" TMPDIR="$HOME_OF_TEST/tmp"
  DOXYGEN_AWESOME_DIR="$HOME_OF_TEST/theme" MATHJAX_DIR="$HOME_OF_TEST/mathjax")
for library in ARCHIVE BENCHMARK CLI11 CMARK_GFM EIGEN GOOGLETEST NLOHMANN_JSON ONEDNN OPENBLAS PCRE2 SECCOMP \
  ZLIB; do
  ENVIRONMENT+=("${library}_INCLUDE_DIR=$HOME_OF_TEST/include")
done

# run NAME=VALUE... -- ARGUMENT...: ./andrea on that machine; sets OUTPUT and STATUS.
run() {
  local -a variables=()
  while [[ $1 != -- ]]; do
    variables+=("$1")
    shift
  done
  shift
  STATUS=0
  OUTPUT=$(env -i "${ENVIRONMENT[@]}" "${variables[@]}" \
    "${FRONT_DOOR:-$HOME_OF_TEST/tree/andrea}" "$@" 2>&1 </dev/null) || STATUS=$?
}

calls() { check "should call '$1'" grep -qF -- "$1" "$CALLS"; }
calls_not() { check "should not call '$1'" not grep -qF -- "$1" "$CALLS"; }
lacks() { for header; do rm "$HOME_OF_TEST/include/$header"; done; }

case_of() {
  CASE=$1
  machine
  echo '{"completed":[{"name":"trainer/x/andrea","uri":"file://'"${HOME_OF_TEST/./%2e}"'/andrea"}]}' |
    sed p >"$HOME_OF_TEST/events"  # Bazel names it twice
}

events() {  # STATUS of each test; "-" for one that was not built
  local status
  for status; do
    echo '{"id":{"targetConfigured":{"label":"//a:b"}},"configured":{"testSize":"SMALL"}}'
    [[ $status == - ]] ||
      echo '{"id":{"testSummary":{"label":"//a:b"}},"testSummary":{"overallStatus":"'"$status"'"}}'
  done >"$HOME_OF_TEST/events"
}
