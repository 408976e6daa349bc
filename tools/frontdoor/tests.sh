# shellcheck shell=bash
#
# ./andrea test [--all] [TARGET...] [BAZEL FLAG...]

# What is left out without being asked for: exercises, which fail until they are solved, and campaigns,
# which take long.
run_tests() {
  local argument filter=-exercise,-campaign status=0 chosen passed
  local -a flags=() targets=()
  for argument in "$@"; do
    case $argument in
      --all) filter=-exercise ;;
      -//*) targets+=("$argument") ;;
      -*) flags+=("$argument") ;;
      *) targets+=("$argument") ;;
    esac
  done
  ((${#targets[@]} > 0)) || targets=(//...)
  if [[ " ${targets[*]}" =~ \ //(\.\.\.|docs|tools) ]]; then
    make_ready site
  else
    make_ready
  fi

  run_bazel "Building and running the tests" test --keep_going --build_tests_only \
    --test_summary=terse --test_tag_filters="$filter" \
    "${flags[@]}" -- "${targets[@]}" || status=$?
  ((status == 0)) || plain_words

  # A test that did not even build has no summary of its own.
  chosen=$(grep -c '^{"id":{"targetConfigured":.*"testSize":' "$EVENTS") || true
  passed=$(grep -c '^{"id":{"testSummary":.*"overallStatus":"\(PASSED\|FLAKY\)"' "$EVENTS") || true
  list_failed
  ((status == 0 || passed < chosen)) || say "andrea: Bazel could not run all of them (its status: $status)."
  ((chosen > 0)) || say "andrea: no test was found in ${targets[*]}."
  echo "$passed passed, $((chosen - passed)) failed"
  ((status == 0 && passed == chosen && passed > 0)) || exit 1
}

# "FAILED //trainer/base:file_test", "TIMEOUT ...", "FAILED TO BUILD ..."
list_failed() {
  sed -nE 's!^(//[^ ]+) +(\(cached\) )?(FAILED TO BUILD|[A-Z]+( STATUS)?).*!\3 \1!p' "$LOG" |
    grep -v '^PASSED' || true
}
