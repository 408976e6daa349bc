# shellcheck shell=bash
#
# ./andrea test [--all] [TARGET...] [BAZEL FLAG...]
#
# With --all it prints the scores of the mutants that were tried.
#
# Exit status: 0 all passed; 1 one failed, or was not built; 77 none failed, but some were not run, since
# they need a card and there is none.

# What is left out without being asked for: exercises, which fail until they are solved, and campaigns,
# which take long.
run_tests() {
  local argument folder filter=-exercise,-campaign status=0 chosen passed failed not_run
  local -a flags=() targets=()
  for argument in "$@"; do
    case $argument in
      --all) filter=-exercise ;;
      -//*) targets+=("$argument") ;;
      -*) flags+=("$argument") ;;
      *) targets+=("$argument") ;;
    esac
  done
  if [[ " ${flags[*]} " == *" --config=cuda "* ]]; then
    need_toolkit
    # What runs kernels, as far as it is here; the simulator is no part of it.
    if ((${#targets[@]} == 0)); then
      for folder in solutions tests/{kernels,mixed_sets,own_model}; do
        [[ ! -d $ROOT/$folder ]] || targets+=("//$folder/...")
      done
    fi
  fi
  ((${#targets[@]} > 0)) || targets=(//...)
  # Who names a lesson means its exercises.
  if [[ ${targets[0]} == //lessons/[0-9]* ]]; then
    filter=${filter/-exercise/}
    filter=${filter#,}
  fi
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
  # What has no sense on a card was left out.
  chosen=$((chosen - $(grep -c '^{"id":{"targetCompleted":.*"aborted":{"reason":"SKIPPED"' "$EVENTS" || true)))
  passed=$(grep -c '^{"id":{"testSummary":.*"overallStatus":"\(PASSED\|FLAKY\)"' "$EVENTS") || true
  not_run=$(list_not_run | grep -c .) || true
  failed=$((chosen - passed - not_run))
  print_scores
  list_failed
  list_not_run | sed 's/^/NOT RUN /'
  ((status == 0 || passed < chosen)) || say "andrea: Bazel could not run all of them (its status: $status)."
  ((chosen > 0)) || say "andrea: no test was found in ${targets[*]}."
  if ((not_run == 0)); then
    echo "$passed passed, $failed failed"
  else
    echo "$passed passed, $failed failed, $not_run not run: no CUDA device here"
    ((failed > 0)) || exit 77
  fi
  ((status == 0 && passed == chosen && passed > 0)) || exit 1
}

# The tables of the campaigns that were run: what they print between their head and an empty line.
print_scores() {
  local label log table
  while read -r label log; do
    table=$(sed -n '/^exercise  *written killed/,/^$/p' "$log" 2>/dev/null) || true
    [[ -z $table ]] || printf '\n%s\n%s\n\n' "$label" "$table"
  done < <(sed -nE 's!^\{"id":\{"testResult":\{"label":"(//tests/mutants:[^"]+)".*"name":"test.log","uri":"file://([^"]+)".*!\1 \2!p' "$EVENTS")
}

# The tests that ended because there is no card (simulator/card/device_needed.cc).
list_not_run() {
  awk '
    /^=+ Test output for / { label = $(NF); sub(/:$/, "", label); next }
    label != "" && /^not run: / && !told[label]++ { print label }
    { label = "" }
  ' "$LOG"
}

# "FAILED //trainer/base:file_test", "TIMEOUT ...", "FAILED TO BUILD ..."
list_failed() {
  sed -nE 's!^(//[^ ]+) +(\(cached\) )?(FAILED TO BUILD|[A-Z]+( STATUS)?).*!\3 \1!p' "$LOG" |
    grep -v '^PASSED' | grep -vwFf <(list_not_run | sed 's/^/FAILED /') || true
}
