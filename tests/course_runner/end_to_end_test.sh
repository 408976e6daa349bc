#!/usr/bin/env bash
#
# The runner with a real lesson and its real tests: lesson 00, copied to a folder of its own. Only
# Bazel is another: in its place stands a script that compiles the kernel by //simulator/tool:cuda and
# links it with what Bazel has built of the tests.
#
# Arguments: the runner, the tool, and the link line of the tests, as paths from here.

set -euo pipefail
# shellcheck source=tests/harness/shell/checks.sh
source tests/harness/shell/checks.sh

RUNNER=$PWD/$1 TOOL=$PWD/$2 LINK_LINE=$PWD/$3
TREE=$PWD
COPY=$(mktemp -d "${TEST_TMPDIR:-/tmp}/runner.XXXXXX")
trap 'rm -rf "$COPY"' EXIT

lesson=lessons/00_first_kernel
mkdir -p "$COPY/$lesson" "$COPY/solutions/00_first_kernel" "$COPY/bin" "$COPY/built/$lesson"
cp -L lessons/course.json "$COPY/lessons/"
cp -L "$lesson/hints.md" "$COPY/$lesson/"
cp -L "solutions/00_first_kernel/kernel.cu" "$COPY/solutions/00_first_kernel/"

cat >"$COPY/bin/bazel" <<BAZEL
#!/bin/bash
for word; do
  [[ \$word != --build_event_json_file=* ]] || events=\${word#*=}
done
cd "$TREE"
mapfile -t link <"$LINK_LINE"
XDG_CACHE_HOME="$COPY/cache" "$TOOL" --check -o "$COPY/built/$lesson/kernel_test" \
  "$COPY/$lesson/kernel.cu" -I . "\${link[@]}" || exit 1
printf '{"namedSetOfFiles":{"files":[{"uri":"file://%s"}]}}\n' \
  "$COPY/built/$lesson/kernel_test" >"\$events"
BAZEL
chmod +x "$COPY/bin/bazel"

run() {  # ARGUMENT...: sets OUTPUT and STATUS
  STATUS=0
  OUTPUT=$(PATH="$COPY/bin:$PATH" "$RUNNER" --root "$COPY" "$@" 2>&1 </dev/null) || STATUS=$?
}

CASE="what was handed out comes from the solution"
run reset 00.kernel
status_is 0
says "$lesson/kernel.cu was not there"
run where
says "Nothing is written yet"

CASE="an exercise that nobody has begun"
run check 00
status_is 1
says "00.1 Map: not yet."
says "TODO(00.1)"
says "A hint: ./andrea hint 00.1"
says "not yet  00.1 00.2"
says_not "test_filter"

CASE="the first exercise by the solution's lines, with its offset forgotten, and right"
run solution 00.1 --give-up
status_is 0
line=$(grep -F 'slope * x[i]' <<<"$OUTPUT" | tail -n 1)
check "the solution should have the product" test -n "$line"
awk -v task='TODO(00.1)' -v code="  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = slope * x[i];" '
  index($0, task) { print code; next } { print }' "$COPY/$lesson/kernel.cu" >"$COPY/new.cu"
mv "$COPY/new.cu" "$COPY/$lesson/kernel.cu"
run check 00.1
status_is 1
says "It looks as if the offset is not added"
says "The same inputs again: ./andrea check 00.1 --seed "
sed -i 's/y\[i\] = slope \* x\[i\];/y[i] = slope * x[i] + offset;/' "$COPY/$lesson/kernel.cu"
run check 00.1
status_is 0
says "00.1 Map: done."
says "Next: 00.2 Two indices"

CASE="what the kernel asks of memory, out of the same tests"
run profile 00.1
status_is 0
says "numbers loaded from global memory"
says "sectors of 32 bytes"

conclude "All is well with the runner and lesson 00."
