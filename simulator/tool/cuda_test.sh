#!/usr/bin/env bash
#
# The tool as a student meets it: programs are built, run, built again, and wrong in many ways.

set -euo pipefail

TOOL=$PWD/simulator/tool/cuda
DATA=$PWD/simulator/tool/testdata
FOLDER=$(mktemp -d "${TEST_TMPDIR:-/tmp}/cuda_test.XXXXXX")
trap 'rm -rf "$FOLDER"' EXIT
export XDG_CACHE_HOME=$FOLDER/cache
export TMPDIR=$FOLDER
FAILURES=0

# run [ARGUMENT...]: sets OUTPUT, ERRORS and STATUS.
run() {
  STATUS=0
  "$TOOL" "$@" >"$FOLDER/out" 2>"$FOLDER/err" </dev/null || STATUS=$?
  OUTPUT=$(<"$FOLDER/out")
  ERRORS=$(<"$FOLDER/err")
}

check() {  # WHAT, then a command
  "${@:2}" && return
  FAILURES=$((FAILURES + 1))
  printf 'FAILED in "%s": %s\n  status: %s\n  output: %s\n  errors: %s\n' \
    "$CASE" "$1" "$STATUS" "$OUTPUT" "$ERRORS"
}
case_of() { CASE=$1; }
status_is() { check "status should be $1" test "$STATUS" = "$1"; }
prints() { check "should print '$1'" test "$OUTPUT" = "$1"; }
says() { check "should say '$1'" grep -qF -- "$1" <<<"$ERRORS"; }
says_not() { check "should not say '$1'" not grep -qF -- "$1" <<<"$ERRORS"; }
is_silent() { check "should say nothing" test -z "$ERRORS"; }
not() { ! "$@"; }
# How many programs have been built.
built() { find "$XDG_CACHE_HOME/andrea/cuda/programs" -type f | wc -l; }
built_are() { check "built programs should be $1, not $(built)" test "$(built)" = "$1"; }

mkdir "$FOLDER/my program"
cd "$FOLDER/my program"
cp -L "$DATA"/* .
PROGRAM=(vector_add.cu fill.cu)

case_of "both builds give the same"
run "${PROGRAM[@]}"
status_is 0
prints "./vector_add sums to 3000"
is_silent
built_are 1
run "${PROGRAM[@]}" --check
status_is 0
prints "./vector_add sums to 3000"
is_silent
built_are 2

case_of "what is built stays, until a file or an option changes"
run "${PROGRAM[@]}"
prints "./vector_add sums to 3000"
built_are 2
sed -i 's/value;/2 * value;/' fill.cu
run "${PROGRAM[@]}"
prints "./vector_add sums to 6000"
built_are 3
sed -i 's/2 \* value;/value;/' fill.cu
run "${PROGRAM[@]}"
prints "./vector_add sums to 3000"
built_are 3
echo '// another line' >>fill.cuh
run "${PROGRAM[@]}"
built_are 4
run "${PROGRAM[@]}" -O1
prints "./vector_add sums to 3000"
built_are 5

case_of "arguments and exit status are the program's"
run "${PROGRAM[@]}" -- 10 7
status_is 7
prints "./vector_add sums to 30"
built_are 5

case_of "from another folder"
cd /
run "$FOLDER/my program/"{vector_add,fill}.cu
prints "$FOLDER/my program/vector_add sums to 3000"
cd "$FOLDER/my program"

case_of "options of the compiler reach it, and faults are told by line"
run "${PROGRAM[@]}" -DFAULT --check --json "$FOLDER/reports.json" -- 100
status_is 86
says "vector_add.cu:12"
check "reports should be written" grep -q vector_add.cu "$FOLDER/reports.json"
run "${PROGRAM[@]}" --check --seed 3 --workers 2 -- 100
status_is 0
prints "./vector_add sums to 300"

case_of "-o keeps the program"
run "${PROGRAM[@]}" -o "$FOLDER/kept"
status_is 0
prints ""
check "should run" test "$("$FOLDER/kept" 5)" = "$FOLDER/kept sums to 15"

case_of "two at once"
for i in 1 2 3; do "$TOOL" "${PROGRAM[@]}" -DBOTH >"$FOLDER/$i" & done
wait
for i in 1 2 3; do check "should print" grep -q "sums to 3000" "$FOLDER/$i"; done

case_of "C++ beside CUDA"
printf '%s\n' '#include <cstdio>
      #include <cuda_runtime.h>
      int answer();
      int main() { cudaSetDevice(0); std::printf("%d\n", answer()); }' >main.cpp
echo 'int answer() { return 42; }' >answer.cu
run main.cpp answer.cu
prints 42

case_of "errors of the compiler"
mistake() {  # A line of main
  echo '__global__ void twice(float* x, int n) { if (n > 0) x[0] *= 2; }
int main() {
  '"$1"'
}' >mistake.cu
  run mistake.cu
  status_is 1
  prints ""
  says_not __simulator
  says_not lambda
}
mistake 'twice<<<1, 1>>>(nullptr);'
says "mistake.cu:3:3: error: too few arguments to function"
says "   twice<<<1, 1>>>(nullptr);"
mistake 'twice<<<1, 1>>>(nullptr, "text");'
says "mistake.cu:3:28: error: invalid conversion from"
mistake 'twice<<<1, 1>>>(nullptr, count);'
says "mistake.cu:3:28: error: "
says "was not declared"
check "should be told once" test "$(grep -c 'was not declared' <<<"$ERRORS")" = 1
mistake 'twice<<<1, 1>>>(nullptr, 3)'
says "mistake.cu:3:30: error: expected"
mistake 'twice(nullptr, 3);'
says "mistake.cu:3:3: error: twice is a kernel"
mistake 'twice<<<1>>>(nullptr, 3);'
says "mistake.cu:3:"
mistake 'missing();'
says "mistake.cu:3:3: error"
echo 'void missing(); int main() { missing(); }' >mistake.cu
run mistake.cu
status_is 1
says "undefined reference to \`missing()'"
run fill.cu
status_is 1
says "there is no main in fill.cu"
echo '#include <curand.h>' >mistake.cu
run mistake.cu
status_is 1
says "cuRAND, which the simulator does not have"
check "should be one sentence" test "$(wc -l <<<"$ERRORS")" -le 4

case_of "files that are none"
run absent.cu
status_is 1
says "absent.cu cannot be read: No such file or directory"
run "$FOLDER"
status_is 2
says "is a folder"
head -c 3000 "$TOOL" >binary.cu
run binary.cu
status_is 1
says "binary.cu is not a C++ source file"
run "${PROGRAM[@]}" 100
status_is 2
says "follow --"
run "${PROGRAM[@]}" --chekc
status_is 2
says "the nearest is '--check'"

case_of "no compiler"
run "${PROGRAM[@]}" --compiler g++-0 -DNO_COMPILER
status_is 1
says "there is no g++-0 here"
says "sudo apt install"

case_of "a cache that cannot be written"
touch "$FOLDER/file"
XDG_CACHE_HOME=$FOLDER/file run answer.cu main.cpp
status_is 0
prints 42
says "cannot be kept in $FOLDER/file/andrea/cuda"
says "they are in $FOLDER/andrea-cuda-"

case_of "help"
run --help
status_is 0
check "should fit a screen" test "$(wc -l <<<"$OUTPUT")" -le 40
check "should fit 80 columns" not grep -qE '.{81}' <<<"$OUTPUT"

check "no build should be left over" test -z "$(ls "$XDG_CACHE_HOME/andrea/cuda/unfinished")"
((FAILURES == 0)) || exit 1
echo "All is well with ./andrea cuda."
