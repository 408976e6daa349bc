#!/usr/bin/env bash
#
# Two hundred submissions of one lesson, cheats among them, graded in one run by the real
# `./andrea grade`, in a Bazel of its own. With an argument of synthetic's, as --few: others.

set -euo pipefail

which=("${@:---count=200}")
# A test sees links to the tree's files; the grader needs the tree.
tree=$(dirname "$(readlink -f andrea)")
synthetic=$PWD/tests/grading/synthetic
folder=$(mktemp -d "${TEST_TMPDIR:-/tmp}/campaign.XXXXXX")
export HOME=${HOME:-$folder} CI=true ANDREA_BAZEL_STARTUP="--output_base=$folder/base"
finish() {
  bazel "--output_base=$folder/base" shutdown || true
  chmod -R u+w "$folder"
  rm -rf "$folder"
}
trap 'cd "$tree" && finish' EXIT

"$synthetic" make "$folder/class" --tree "$tree" "${which[@]}"
for round in "with all that the grader needs built first" "once more"; do
  SECONDS=0
  "$tree/andrea" grade "$folder/class" --out "$folder/reports" --lesson 00 --timeout 5
  printf '%s submissions graded in %d min %d s, %s.\n' "$(find "$folder/class" -mindepth 1 -maxdepth 1 | wc -l)" \
    $((SECONDS / 60)) $((SECONDS % 60)) "$round"
  "$synthetic" check "$folder/reports" --tree "$tree" "${which[@]}"
done
