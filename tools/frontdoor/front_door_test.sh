#!/usr/bin/env bash
#
# The front door among programs that only pretend: a copy of it stands in a folder of its own, with a
# PATH that holds nothing but fakes of apt-get, bazel, sudo, uname and the like, and a few real tools.
# Each fake writes what it was asked to "$HOME_OF_TEST/calls".
#
# shellcheck disable=SC2016  # the fakes are scripts in single quotes

set -euo pipefail

SOURCE=$PWD
HOME_OF_TEST=$(mktemp -d "${TEST_TMPDIR:-/tmp}/front_door.XXXXXX")
export HOME_OF_TEST
trap 'rm -rf "$HOME_OF_TEST"' EXIT
CALLS=$HOME_OF_TEST/calls
FAILURES=0

# ---- The machine ----

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
  for tool in awk bash cat chmod cksum cut df dirname env find grep ln mkdir mktemp mv nproc paste \
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

# run NAME=VALUE... -- ARGUMENT...: ./andrea on that machine; sets OUTPUT and STATUS.
run() {
  local -a variables=("DOXYGEN_AWESOME_DIR=$HOME_OF_TEST/theme" "MATHJAX_DIR=$HOME_OF_TEST/mathjax")
  local library
  for library in ARCHIVE BENCHMARK CLI11 CMARK_GFM EIGEN GOOGLETEST NLOHMANN_JSON ONEDNN OPENBLAS \
    PCRE2 SECCOMP ZLIB; do
    variables+=("${library}_INCLUDE_DIR=$HOME_OF_TEST/include")
  done
  while [[ $1 != -- ]]; do
    variables+=("$1")
    shift
  done
  shift
  STATUS=0
  OUTPUT=$(env -i HOME_OF_TEST="$HOME_OF_TEST" PATH="$HOME_OF_TEST/bin" TMPDIR="$HOME_OF_TEST/tmp" \
    "${variables[@]}" "${FRONT_DOOR:-$HOME_OF_TEST/tree/andrea}" "$@" 2>&1 </dev/null) || STATUS=$?
}

# ---- What is expected ----

check() {  # WHAT, then a command
  "${@:2}" && return
  FAILURES=$((FAILURES + 1))
  printf 'FAILED in "%s": %s\n  status: %s\n  output: %s\n  calls: %s\n' \
    "$CASE" "$1" "$STATUS" "$OUTPUT" "$(cat "$CALLS")"
}
status_is() { check "status should be $1" test "$STATUS" = "$1"; }
says() { check "should say '$1'" grep -qF -- "$1" <<<"$OUTPUT"; }
says_not() { check "should not say '$1'" not grep -qF -- "$1" <<<"$OUTPUT"; }
calls() { check "should call '$1'" grep -qF -- "$1" "$CALLS"; }
calls_not() { check "should not call '$1'" not grep -qF -- "$1" "$CALLS"; }
not() { ! "$@"; }
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

# ---- Help and usage ----

case_of "help in one screen"
for arguments in help -h --help; do
  # shellcheck disable=SC2086
  run -- $arguments
  status_is 0
  says "./andrea COMMAND"
done
check "should fit a screen of 48 lines" test "$(wc -l <<<"$OUTPUT")" -le 48
calls_not bazel

case_of "an unknown command"
run -- tarin
status_is 2
says "there is no command 'tarin'; the nearest is 'train'"

case_of "help of a command is the program's"
run -- help train
says "<train><--help>"

# ---- The course ----

case_of "alone, before anything is built: what is first, at once"
run --
status_is 0
says "Nothing is built yet."
says "./andrea watch"
says_not "./andrea setup"
calls_not bazel
lacks Eigen
run --
status_is 0
says "./andrea setup     installs what the build needs: libeigen3-dev"
calls_not apt-get
calls_not bazel

case_of "the runner gets what it needs to build, and is built once"
mkdir -p "$HOME_OF_TEST/out/tools/course/runner"
cp "$HOME_OF_TEST/andrea" "$HOME_OF_TEST/out/tools/course/runner/runner"
echo '{"completed":[{"uri":"file://'"$HOME_OF_TEST"'/out/tools/course/runner/runner"}]}' \
  >"$HOME_OF_TEST/events"
mkdir -p "$HOME_OF_TEST/tree"/{tools/course,tools/bazel,trainer/base,simulator/rewriter,simulator/tool} \
  "$HOME_OF_TEST/tree/tests/harness/exercise"
touch "$HOME_OF_TEST/tree"/{WORKSPACE,.bazelrc,tests/harness/exercise/frame.h}
flags=(HOME="$HOME_OF_TEST/home" ANDREA_BAZEL_STARTUP="--output_base=/x"
  ANDREA_BAZEL_FLAGS="--config=portable")
run "${flags[@]}" -- check 02.5
status_is 0
says "<--workspace><$HOME_OF_TEST/tree><--bazel-startup=--output_base=/x>"
says "<--bazel-flag=--config=portable><check><02.5>"
calls "|//tools/course/runner:runner|"
: >"$CALLS"
run "${flags[@]}" -- hint 02.5
says "<hint><02.5>"
calls_not bazel
run "${flags[@]}" --
says "<where>"
calls_not bazel
touch -d '1 minute' "$HOME_OF_TEST/tree/tools/course/changed.cc"
run "${flags[@]}" -- hint 02.5
calls bazel

# ---- Handing over ----

case_of "arguments reach the program untouched, in the caller's folder"
mkdir "$HOME_OF_TEST/else where"
cd "$HOME_OF_TEST/else where"
run -- train --text "a b" "" '*' '$x' -- --yes
cd "$SOURCE"
status_is 0
says '<train><--text><a b><><*><$x><--><--yes>'" in $HOME_OF_TEST/else where"
calls "|//trainer:andrea| in $HOME_OF_TEST/tree"
says_not Building

case_of "the status is the program's, the standard input too"
run FAKE_PROGRAM_STATUS=7 -- train
status_is 7
OUTPUT=$(env -i HOME_OF_TEST="$HOME_OF_TEST" PATH="$HOME_OF_TEST/bin" bash -c \
  "for l in BENCHMARK CLI11 EIGEN GOOGLETEST NLOHMANN_JSON ONEDNN PCRE2 ZLIB; do
     export \${l}_INCLUDE_DIR=$HOME_OF_TEST/include; done
   echo Once upon | $HOME_OF_TEST/tree/andrea sample")
says "Once upon"

case_of "through a link"
ln -s "$HOME_OF_TEST/tree/andrea" "$HOME_OF_TEST/link"
FRONT_DOOR=$HOME_OF_TEST/link run -- info
status_is 0
says "<info>"

case_of "in a folder with spaces Bazel is shown one without"
mv "$HOME_OF_TEST/tree" "$HOME_OF_TEST/my tree"
FRONT_DOOR="$HOME_OF_TEST/my tree/andrea" run -- info
status_is 0
says "<info>"
calls "in $HOME_OF_TEST/tmp/andrea-1000-"

case_of "flags for Bazel from the environment"
run "${flags[@]}" -- info
calls "bazel|--output_base=/x|build|"
calls "|--config=portable|"

case_of "a build that fails shows the compiler's words and no more"
cat >"$HOME_OF_TEST/bazel_says" <<'TEXT'
Loading: 0 packages loaded
INFO: Analyzed target //trainer:andrea (0 packages loaded, 0 targets configured).
[1 / 2] [Scann] Compiling trainer/main.cc
ERROR: /tree/trainer/BUILD:1:8: Compiling trainer/main.cc failed: (Exit 1): gcc failed: error executing command /usr/bin/gcc -O2

Use --sandbox_debug to see verbose messages from the sandbox
trainer/main.cc:1:20: error: 'undefined' was not declared in this scope
Target //trainer:andrea failed to build
FAILED: Build did NOT complete successfully
TEXT
run FAKE_BAZEL_STATUS=1 -- train
status_is 1
says "trainer/main.cc:1:20: error: 'undefined' was not declared in this scope"
says "the build failed"
for noise in Loading INFO "executing command" sandbox "[1 / 2]" "FAILED: Build" "<train>"; do
  says_not "$noise"
done

case_of "a long build is announced, and so is another one's"
run FAKE_BAZEL_SECONDS=3 -- train
says "Building (first time: a few minutes) ..."
echo "Another command (pid=1) is running. Waiting for it to complete on the server ..." \
  >"$HOME_OF_TEST/bazel_says"
run FAKE_BAZEL_SECONDS=3 -- train
says "Another build is using Bazel; waiting for it to end ..."
says "<train>"

# ---- CUDA programs ----

# The tool and the library as Bazel would leave them.
cuda_tool() {
  mkdir -p "$HOME_OF_TEST"/{home,tree/simulator,tree/tools/bazel,bin_of_bazel/simulator/tool}
  touch "$HOME_OF_TEST/tree/"{WORKSPACE,.bazelrc}
  touch "$HOME_OF_TEST/bin_of_bazel/simulator/libandrea_simulator.so"
  cp "$HOME_OF_TEST/andrea" "$HOME_OF_TEST/bin_of_bazel/simulator/tool/cuda"
  echo '{"completed":[{"uri":"file://'"$HOME_OF_TEST"'/bin_of_bazel/simulator/tool/cuda"}]}' \
    >"$HOME_OF_TEST/events"
}

case_of "a CUDA program is handed over to the tool"
cuda_tool
run -- cuda "my file.cu" --check -- --yes
status_is 0
calls "|//simulator:libandrea_simulator.so|//simulator/tool:cuda|"
says '<--compiler><g++><my file.cu><--check><--><--yes>'
run FAKE_PROGRAM_STATUS=86 -- cuda x.cu
status_is 86
run -- help cuda
says '<--compiler><g++><--help>'

case_of "Bazel is asked again only if the simulator has changed"
cuda_tool
run HOME="$HOME_OF_TEST/home" -- cuda x.cu
calls "|//simulator/tool:cuda|"
: >"$CALLS"
run HOME="$HOME_OF_TEST/home" -- cuda x.cu
status_is 0
says '<x.cu>'
calls_not bazel
touch "$HOME_OF_TEST/tree/simulator/runtime.cc"
run HOME="$HOME_OF_TEST/home" -- cuda x.cu
calls "|//simulator/tool:cuda|"
: >"$CALLS"
run HOME="$HOME_OF_TEST/home" ANDREA_BAZEL_FLAGS=--config=asan -- cuda x.cu
calls "|--config=asan|"
: >"$CALLS"
echo another >"$HOME_OF_TEST/bin_of_bazel/simulator/libandrea_simulator.so"
run HOME="$HOME_OF_TEST/home" ANDREA_BAZEL_FLAGS=--config=asan -- cuda x.cu
calls "|//simulator/tool:cuda|"

# ---- Kernel sets ----

lesson() {  # SET/NN_name
  mkdir -p "$HOME_OF_TEST/tree/$1"
  printf 'cc_library(\n    name = "%s",\n)\n' "${2:-kernels}" >"$HOME_OF_TEST/tree/$1/BUILD"
}

case_of "a set without kernels"
lesson lessons/03_attention reference
run -- train --use lessons:03
status_is 2
says "the set 'lessons' has no kernels for 03 yet; sets: cpu."
calls_not bazel
run -- train --kernels lessons
status_is 2
says "no kernels for 01"

case_of "no such set, lesson or value"
run -- train --kernels cuda
status_is 2
says "there is no kernel set 'cuda'; sets: cpu."
run -- train --use=cpu:42
status_is 2
says "there is no lesson '42'"
run -- train --use attention
status_is 2
says "SET:NN"
run -- train --use
status_is 2
says "--use needs a value"

case_of "lessons' kernels become Bazel's flags and stay the program's"
lesson lessons/03_attention
lesson solutions/05_gelu_mlp
printf 'solution(\n    parts = ["kernel"],\n)\n' >"$HOME_OF_TEST/tree/solutions/05_gelu_mlp/BUILD"
run -- train --kernels cpu --steps 3 --use lessons:03 --use=solutions:05
status_is 0
calls "|--//kernels:use_attention=//lessons/03_attention:kernels|"
calls "|--//kernels:use_linear=//solutions/05_gelu_mlp:kernels|"
calls "|--//kernels:use_activation=//solutions/05_gelu_mlp:kernels|"
calls "|--//kernels:use_decode=//kernels/composed:decode|"
says "<train><--kernels><cpu><--steps><3><--use><lessons:03><--use=solutions:05>"
run -- train --use lessons:04
says "sets: cpu, lessons, solutions."

case_of "a whole set but for one lesson"
for name in 01_a 02_b 03_c 04_d 05_e 06_f 07_g; do lesson "solutions/$name"; done
run -- bench --use cpu:06 --kernels solutions
calls "|--//kernels:use_adamw=//solutions/07_g:kernels|"
calls "|--//kernels:use_block=//solutions/06_f:kernels|--//kernels:use_decode"
calls "|--//kernels:use_block=//kernels/composed:block|"
calls "|--//kernels:use_residual=//kernels/cpu:residual|"

case_of "other commands have no kernel sets"
run -- tokenizer train --use lessons:03
status_is 0
calls_not kernels:use

# ---- Set-up ----

case_of "nothing missing, nothing installed"
run -- setup
status_is 0
calls_not apt-get

case_of "root installs without asking"
lacks Eigen oneapi
run FAKE_USER=0 CI=true -- setup
status_is 0
says "this machine lacks: libeigen3-dev libdnnl-dev"
calls "install --yes --no-install-recommends libeigen3-dev libdnnl-dev"
calls_not sudo
calls_not "apt-get update"

case_of "package lists are fetched where they are absent; OpenBLAS stands in for oneDNN"
lacks oneapi
run FAKE_USER=0 FAKE_ARCHIVE_LACKS=libdnnl-dev -- setup
status_is 0
calls " update"
calls "--no-install-recommends libopenblas-openmp-dev"

case_of "a user without a terminal is not asked"
lacks Eigen
run -- train
status_is 1
says "sudo apt-get update && sudo apt-get install --yes --no-install-recommends libeigen3-dev"
calls_not apt-get
calls_not bazel

case_of "--yes and CI=true do not ask"
lacks Eigen
run -- train --yes --steps 3
status_is 0
calls "sudo env DEBIAN_FRONTEND=noninteractive apt-get"
says "<train><--steps><3>"
lacks Eigen
run CI=true -- train
status_is 0

case_of "a user at a terminal sees the command and is asked"
# Without a pseudo-terminal, as in some containers, there is nobody to ask.
answers=(n y)
script --quiet --return --log-out /dev/null --command true </dev/null >/dev/null || answers=()
for answer in "${answers[@]}"; do
  lacks Eigen
  : >"$CALLS"
  STATUS=0
  OUTPUT=$(script --quiet --return --log-out /dev/null --command "env -i \
    HOME_OF_TEST='$HOME_OF_TEST' PATH='$HOME_OF_TEST/bin' \
    DOXYGEN_AWESOME_DIR='$HOME_OF_TEST/theme' MATHJAX_DIR='$HOME_OF_TEST/mathjax' $(
      for library in BENCHMARK CLI11 CMARK_GFM EIGEN GOOGLETEST NLOHMANN_JSON ONEDNN PCRE2 ZLIB; do
        echo "${library}_INCLUDE_DIR='$HOME_OF_TEST/include' "
      done | tr -d '\n'
    ) '$HOME_OF_TEST/tree/andrea' setup" <<<"$answer" 2>&1) || STATUS=$?
  says "sudo apt-get install --yes --no-install-recommends libeigen3-dev"
  if [[ $answer == n ]]; then
    status_is 1
    calls_not apt-get
    touch "$HOME_OF_TEST/include/Eigen"
  else
    status_is 0
    calls "sudo env"
  fi
done

case_of "no sudo"
lacks Eigen
rm "$HOME_OF_TEST/bin/sudo"
run -- train --yes
status_is 1
says "only root can install them: apt-get update && apt-get install --yes"

case_of "no apt-get"
lacks Eigen
rm "$HOME_OF_TEST/bin/apt-get"
run FAKE_USER=0 -- train
status_is 1
says "libeigen3-dev"
says "there is no apt-get here"

case_of "apt fails"
lacks Eigen
run FAKE_USER=0 FAKE_APT_FAILS=1 -- train
status_is 1
says "E: no network"
calls_not bazel

case_of "another platform"
run FAKE_SYSTEM="Darwin arm64" -- train
status_is 1
says "this machine is Darwin arm64. ANDREA needs Linux on x86-64"
run FAKE_SYSTEM="Darwin arm64" -- help
status_is 0

case_of "an old compiler"
run FAKE_COMPILER=11 -- train
status_is 1
says "g++-12"
says "g++ here is version 11"
fake g++-12 <<<'echo 12'
fake gcc-12 <<<'echo 12'
run FAKE_COMPILER=11 -- train
status_is 0
calls "|--repo_env=CC=gcc-12|"

case_of "no Bazel"
rm "$HOME_OF_TEST/bin/bazel"
run -- train
status_is 1
says bazel-bootstrap

case_of "the set-up knows every package of WORKSPACE"
while read -r package; do
  check "$package should be in setup.sh" grep -qw -- "$package" "$SOURCE/tools/frontdoor/setup.sh"
done < <(sed -n 's/^ *apt = "\(.*\)",/\1/p' "$SOURCE/WORKSPACE" | tr ' ' '\n')

# ---- The site ----

case_of "only the site asks for what the site is made with"
rm "$HOME_OF_TEST/bin/doxygen" "$HOME_OF_TEST/mathjax/MathJax.js"
run -- train
status_is 0
for arguments in docs setup test "test //docs:site_test"; do
  # shellcheck disable=SC2086
  run -- $arguments
  status_is 1
  says "needs what this machine lacks: doxygen libjs-mathjax"
done
events PASSED
run -- test //lessons/...
status_is 0

case_of "the site"
mkdir -p "$HOME_OF_TEST/bin/site"
echo "<html>" >"$HOME_OF_TEST/bin/site/index.html"
echo '{"files":[{"uri":"file://'"$HOME_OF_TEST"'/bin/site/index.html"}]}' >"$HOME_OF_TEST/events"
run -- docs
status_is 0
calls "|//docs:site|"
says "The site begins at $HOME_OF_TEST/bin/site/index.html"
says "xdg-open '$HOME_OF_TEST/bin/site/index.html'"
run -- docs --out "$HOME_OF_TEST/public"
status_is 0
check "the copy should be there" test -s "$HOME_OF_TEST/public/index.html"
run -- docs --out "$HOME_OF_TEST/public"
status_is 2
says "is there already"
run -- docs --pdf
status_is 2
says "docs does not know '--pdf'"
run FAKE_BAZEL_STATUS=1 -- docs
status_is 1
says "the site could not be built"
run -- help docs
status_is 0
says "--instructor"

# ---- Tests and doctor ----

case_of "tests that pass"
events PASSED PASSED
run -- test --config=asan //trainer/...
status_is 0
check "last line" test "${OUTPUT##*$'\n'}" = "2 passed, 0 failed"
calls "|--test_tag_filters=-exercise,-campaign|"
calls "|--config=asan|--|//trainer/...|"
run -- test --all
calls "|--test_tag_filters=-exercise|"
calls "|--|//...|"

case_of "tests that fail, or are not built"
events PASSED FAILED - TIMEOUT
cat >"$HOME_OF_TEST/bazel_says" <<'TEXT'
FAIL: //t:bad_test (see /tmp/testlogs/t/bad_test/test.log)
INFO: From Testing //t:bad_test:
==================== Test output for //t:bad_test:
INFO: expected 3, got 4
================================================================================
//t:bad_test                                                     FAILED TO BUILD
//t:sad_test                                                             FAILED in 0.1s
TEXT
run FAKE_BAZEL_STATUS=3 -- test
status_is 1
says "INFO: expected 3, got 4"
says "FAILED TO BUILD //t:bad_test"
says "FAILED //t:sad_test"
says_not "From Testing"
check "last line" test "${OUTPUT##*$'\n'}" = "1 passed, 3 failed"

case_of "no tests at all"
events
run FAKE_BAZEL_STATUS=4 -- test //nothing/...
status_is 1
says "no test was found in //nothing/..."

# A grader that has taken the submissions in already.
class_is_taken_in() {
  echo '{"completed":[{"name":"x/grade","uri":"file://'"$HOME_OF_TEST"'/grade"}]}' \
    >"$HOME_OF_TEST/events"
  cp "$HOME_OF_TEST/andrea" "$HOME_OF_TEST/grade"
  mkdir -p "$HOME_OF_TEST/tree/tools/course/grader"
  touch "$HOME_OF_TEST/include/"{archive.h,seccomp.h}
  fake bwrap <<<''
  mkdir -p "$HOME_OF_TEST/reports/workspace"
  echo "--flag-of=the class" >"$HOME_OF_TEST/reports/workspace/bazel.flags"
  echo "//graded/ada:kernel" >"$HOME_OF_TEST/reports/workspace/targets"
}

case_of "a class is graded: taken in, built, reported"
class_is_taken_in
run -- grade class --out "$HOME_OF_TEST/reports" --lesson 00 -- --config=remote
status_is 0
says "<--step><prepare><class><--out><$HOME_OF_TEST/reports><--lesson><00>"
says "<--step><report><--events>"
says_not "config=remote"
calls "|build|"
calls "|--keep_going|"
calls "|--flag-of=the class|--config=remote|"

case_of "submissions that do not compile are the report's affair, a Bazel that cannot work is not"
class_is_taken_in
run FAKE_GRADING_STATUS=1 -- grade class --out="$HOME_OF_TEST/reports"
status_is 0
says "<--step><report>"
echo "ERROR: no such flag" >"$HOME_OF_TEST/bazel_says"
run FAKE_GRADING_STATUS=2 -- grade class --out="$HOME_OF_TEST/reports"
status_is 1
says "ERROR: no such flag"
says "Bazel could not grade"

case_of "a class that nobody can compile anything of, and a grader that refuses"
class_is_taken_in
: >"$HOME_OF_TEST/reports/workspace/targets"
run -- grade class --out "$HOME_OF_TEST/reports"
status_is 0
calls_not "|--keep_going|"
run FAKE_PROGRAM_STATUS=2 -- grade class --out "$HOME_OF_TEST/reports"
status_is 2
says_not "<report>"

case_of "a student's edition has no grader, and needs nothing of what it needs"
run -- grade class --out "$HOME_OF_TEST/reports"
status_is 2
says "this edition has no grader"
mkdir -p "$HOME_OF_TEST/tree/tools/course/grader"
run -- setup
says "bubblewrap"
says "libarchive-dev"

case_of "doctor"
run -- doctor
status_is 0
says "g++, version 12"
says "A step of 120m at 1,024 tokens needs 2.4 GB"
says_not $'\033'
lacks Eigen
run FAKE_SYSTEM="Darwin arm64" -- doctor
status_is 0
says "missing: libeigen3-dev"
says "Darwin arm64; ANDREA needs"
calls_not apt-get

# ---- A card ----

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

((FAILURES == 0)) || exit 1
echo "All is well at the front door."
