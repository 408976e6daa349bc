#!/usr/bin/env bash
#
# The front door on a machine that has what it needs: how it hands over, and to what.
#
# shellcheck disable=SC2016  # the fakes are scripts in single quotes

set -euo pipefail
# shellcheck source=tools/frontdoor/fake_machine.sh
source tools/frontdoor/fake_machine.sh

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

case_of "a name is written into the worksheets that have none"
for lesson in 00_a 01_b 02_c; do mkdir -p "$HOME_OF_TEST/tree/lessons/$lesson"; done
sheet=$HOME_OF_TEST/tree/lessons
echo 'inline constexpr char kOther[] = "";' >"$sheet/00_a/worksheet.h"
printf '%s\n' '// kName' 'inline constexpr char kName[] = "";' 'int x;' >"$sheet/01_b/worksheet.h"
echo 'inline constexpr char kName[] = "Eve";' >"$sheet/02_c/worksheet.h"
run -- name 'Ada | King &' Lovelace
status_is 0
says "lessons/02_c/worksheet.h has a name already"
says "in one worksheet more"
check "should be the name" test "$(<"$sheet/01_b/worksheet.h")" == \
  $'// kName\ninline constexpr char kName[] = "Ada | King & Lovelace";\nint x;'
check "should stay" grep -qF '"Eve"' "$sheet/02_c/worksheet.h"
check "should stay" grep -qF 'kOther[] = ""' "$sheet/00_a/worksheet.h"
run -- name
status_is 2
run -- name '"; int y'
status_is 2
run -- name --help
status_is 0
says "A worksheet that has a name already keeps it."
calls_not bazel

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
OUTPUT=$(echo Once upon | env -i "${ENVIRONMENT[@]}" "$HOME_OF_TEST/tree/andrea" sample)
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
says_not "... ["
echo "Another command (pid=1) is running. Waiting for it to complete on the server ..." \
  >"$HOME_OF_TEST/bazel_says"
run FAKE_BAZEL_SECONDS=3 -- train
says "Another build is using Bazel; waiting for it to end ..."
says "<train>"

case_of "how far a long build is, is told where no terminal shows it"
echo "[12 / 300] Compiling trainer/main.cc" >"$HOME_OF_TEST/bazel_says"
run FAKE_BAZEL_SECONDS=7 -- train
says "Building (first time: a few minutes) ... [12 / 300]"

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

case_of "a kernel that is not written, or is known to be wrong, is told before the run"
lesson lessons/02_b
kernel=$HOME_OF_TEST/tree/lessons/02_b/kernel.cu
# No model calls 02.1.
printf '// TODO(02.1): a.\n' >"$kernel"
run -- train --use lessons:02
says_not "Note:"
printf '// TODO(02.6): b.\n' >>"$kernel"
run -- train --use lessons:02
says "Note: lessons/02_b/kernel.cu has TODO(02.6) in line 2."
echo >"$kernel"
mkdir -p "$HOME_OF_TEST/tree/.andrea/results"
remembered() {  # EXERCISE: it failed; an earlier state of the file failed at 02.7
  cat >"$HOME_OF_TEST/tree/.andrea/results/02.kernel.json" <<TEXT
{
 "compiles": true,
 "earlier": {
  "testsuites": [
      {
      "exercise": "02.7",
      "failures": [
       {
        "failure": "dtable"
       }
      ],
      "name": "Exercise7"
     }
  ]
 },
 "report": {
  "testsuites": [
     {
      "exercise": "02.5",
      "name": "Exercise5"
     },
     {
      "exercise": "$1",
      "failures": [
       {
        "failure": "dx"
       }
      ],
      "name": "Exercise6"
     }
  ]
 },
 "state": "5e10c1382f16229d"
}
TEXT
}
remembered 02.6
touch -d '1 minute ago' "$kernel"
run -- train --use lessons:02
status_is 0
says "Note: exercise 02.6 failed when it was last tried, and lessons/02_b/kernel.cu has not changed since."
remembered 02.1
run -- train --use lessons:02
says_not "Note:"
remembered 02.6
touch -d '1 minute' "$kernel"
run -- train --use lessons:02
says_not "Note:"
rm -r "$HOME_OF_TEST/tree/.andrea"

case_of "a whole set but for one lesson"
for name in 01_a 02_b 03_c 04_d 05_e 06_f 07_g; do lesson "solutions/$name"; done
run -- bench --use cpu:06 --kernels solutions
calls "|--//kernels:use_transformer=//solutions/07_g:kernels|"
calls "|--//kernels:use_adamw=//solutions/07_g:kernels|--//kernels:use_decode=//kernels/composed:decode|"
# What is not said is the cpu set's, and training_pass out of the others.
for operation in block residual training_pass; do calls_not "use_$operation"; done

case_of "the tuned set for cards, as a whole and in parts"
mkdir -p "$HOME_OF_TEST/tree/kernels/cuda"
touch "$HOME_OF_TEST/tree/kernels/cuda/BUILD"
lesson lessons/03_attention
run -- train --kernels cuda
status_is 0
calls "|--//kernels:use_attention=//kernels/cuda:attention|"
calls "|--//kernels:use_adamw=//kernels/cuda:adamw|"
calls "|--//kernels:use_transformer=//kernels/cuda:transformer|--//kernels:use_training_pass=//kernels/cuda:transformer|"
calls "|--//kernels:use_decode=//kernels/cuda:decode|"
calls_not use_block
calls_not "--config=cuda"
: >"$CALLS"
run -- train --kernels cuda --use lessons:03
status_is 0
calls "|--//kernels:use_attention=//lessons/03_attention:kernels|"
calls "|--//kernels:use_adamw=//kernels/cuda:adamw|--//kernels:use_decode=//kernels/composed:decode|"
for operation in transformer training_pass; do calls_not "use_$operation"; done
: >"$CALLS"
run -- train --use cuda:03
status_is 0
calls "|--//kernels:use_attention=//kernels/cuda:attention|--//kernels:use_decode=//kernels/composed:decode|"
calls_not use_linear
run -- train --kernels cuda --use lessons:04
says "sets: cpu, cuda, lessons."

case_of "the newest run is the one that goes on"
for name in 01_a 02_b 03_c 04_d 05_e 06_f 07_g; do lesson "solutions/$name"; done
mkdir -p "$HOME_OF_TEST"/elsewhere/runs/{old,new,other}
printf 'kernels = "cpu"\n' | tee "$HOME_OF_TEST"/elsewhere/runs/{old,other}/config.toml >/dev/null
printf 'kernels = "solutions"\n' >"$HOME_OF_TEST/elsewhere/runs/new/config.toml"
touch -d '1 hour ago' "$HOME_OF_TEST/elsewhere/runs/old/metrics.jsonl"
touch "$HOME_OF_TEST/elsewhere/runs/new/metrics.jsonl"
touch -d '2 hours ago' "$HOME_OF_TEST/elsewhere/runs/other/config.toml"
cd "$HOME_OF_TEST/elsewhere"
run -- train --resume
status_is 0
calls "|--//kernels:use_attention=//solutions/03_c:kernels|"
cd "$SOURCE"

case_of "other commands have no kernel sets"
run -- tokenizer train --use lessons:03
status_is 0
calls_not kernels:use

conclude "All is well at the front door."
