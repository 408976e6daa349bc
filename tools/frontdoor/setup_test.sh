#!/usr/bin/env bash
#
# What the front door needs, finds, installs and tells of: the set-up, the site, the doctor.
#
# shellcheck disable=SC2016  # the fakes are scripts in single quotes

set -euo pipefail
# shellcheck source=tools/frontdoor/fake_machine.sh
source tools/frontdoor/fake_machine.sh

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
  OUTPUT=$(script --quiet --return --log-out /dev/null --command \
    "env -i $(printf '%q ' "${ENVIRONMENT[@]}") '$HOME_OF_TEST/tree/andrea' setup" <<<"$answer" 2>&1) || STATUS=$?
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

# ---- Doctor ----

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

conclude "All is well with the set-up."
