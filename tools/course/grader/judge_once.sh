#!/usr/bin/env bash
#
# judge_once RESULT LAUNCHER JUDGE [ARGUMENT...]: one judge over one student's program, an action of
# tools/bazel/graded.bzl. It succeeds where there is a verdict, whatever it is, and fails where the
# student's program could not be run for a reason that is not the student's.

set -euo pipefail

result=$PWD/$1 launcher=$2 judge=$3
shift 3

fail() {
  printf 'Nothing was judged: %s\n' "$1" >&2
  exit 1
}

# The judge's own tests run in processes of theirs, so that a launcher's trouble does not come through
# its status: it is written to a file.
trouble=$(mktemp)
said=$(mktemp)
trap 'rm -f "$trouble" "$said"' EXIT

status=0
"./$judge" "$@" --launcher "$launcher --trouble $trouble" --gtest_output="json:$result" \
  >"$said" 2>&1 </dev/null || status=$?
[[ ! -s $trouble ]] || fail "$(head -n 1 "$trouble")"
if ((status > 1)) || [[ ! -s $result ]]; then
  tail -n 5 "$said" >&2
  fail "the judge ended with status $status."
fi
