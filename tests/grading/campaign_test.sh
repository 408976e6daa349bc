#!/usr/bin/env bash
#
# Two hundred submissions of one lesson, cheats among them, graded in one run by the real
# `./andrea grade`, in a Bazel of its own. With a number as its argument: so many.

set -euo pipefail

count=${1:-200}
# A test sees links to the tree's files; the grader needs the tree.
tree=$(dirname "$(readlink -f andrea)")
synthetic=$PWD/tests/grading/synthetic
folder=$(mktemp -d "${TEST_TMPDIR:-/tmp}/campaign.XXXXXX")
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
export HOME=${HOME:-$folder} CI=true
export ANDREA_BAZEL_STARTUP="--output_base=$folder/base --max_idle_secs=20"

"$synthetic" make "$folder/class" --tree "$tree" --count "$count"
SECONDS=0
"$tree/andrea" grade "$folder/class" --out "$folder/first" --lesson 00 --timeout 5
printf '%d submissions graded in %d min %d s, with all that the grader needs built first.\n' "$count" \
  $((SECONDS / 60)) $((SECONDS % 60))
"$synthetic" check "$folder/first" --tree "$tree" --count "$count"

# What is graded is not graded again.
SECONDS=0
"$tree/andrea" grade "$folder/class" --out "$folder/first" --lesson 00 --timeout 5 >/dev/null
printf 'Once more: %d s.\n' "$SECONDS"
"$synthetic" check "$folder/first" --tree "$tree" --count "$count"
bazel "--output_base=$folder/base" shutdown || true
