# shellcheck shell=bash
#
# For tests written in shell. Such a test sets STATUS and OUTPUT by what it runs, checks them, and ends with
# `conclude`. What fails is told with CASE, what is being tried, and CALLS, a file of what was called meanwhile,
# where the test sets them.

FAILURES=0

check() {  # WHAT, then a command
  "${@:2}" && return
  FAILURES=$((FAILURES + 1))
  printf 'FAILED%s: %s\n  status: %s\n  output: %s\n' "${CASE:+ in \"$CASE\"}" "$1" "$STATUS" "$OUTPUT"
  [[ -z ${CALLS:-} ]] || printf '  calls: %s\n' "$(cat "$CALLS")"
}
not() { ! "$@"; }
status_is() { check "status should be $1" test "$STATUS" = "$1"; }
says() { check "should say '$1'" grep -qF -- "$1" <<<"$OUTPUT"; }
says_not() { check "should not say '$1'" not grep -qF -- "$1" <<<"$OUTPUT"; }

conclude() {  # SENTENCE, if nothing has failed
  ((FAILURES == 0)) || exit 1
  echo "$1"
}
