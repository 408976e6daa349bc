# shellcheck shell=bash
#
# Finds what the build needs and this machine lacks, and installs it with apt. A thing counts by being
# there, not by its package, so that what was installed by hand is used. When nothing is missing this
# costs a few milliseconds.

# What WORKSPACE asks for: Debian package, name, folder below an include root, header or folder.
LIBRARIES=(
  "libbenchmark-dev   benchmark      /        benchmark"
  "libcli11-dev       cli11          /        CLI"
  "libeigen3-dev      eigen          /eigen3  Eigen"
  "libgtest-dev       googletest     /        gtest"
  "nlohmann-json3-dev nlohmann_json  /        nlohmann"
  "libpcre2-dev       pcre2          /        pcre2.h"
  "zlib1g-dev         zlib           /        zlib.h"
)
# What the grader needs beside them.
GRADER_LIBRARIES=(
  "libarchive-dev     archive        /        archive.h"
  "libseccomp-dev     seccomp        /        seccomp.h"
)
ONEDNN="libdnnl-dev onednn / oneapi"
OPENBLAS="libopenblas-openmp-dev openblas /openblas-openmp cblas.h"

# What the site needs besides, and the tests of the site: Debian package, and a program or a file that it
# brings. Who only trains is not asked for it.
SITE_LIBRARIES=(
  "libcmark-gfm-dev            cmark_gfm  /  cmark-gfm.h"
  "libcmark-gfm-extensions-dev cmark_gfm  /  cmark-gfm-core-extensions.h"
)
SITE_TOOLS=(
  "doxygen              doxygen"
  "graphviz             dot"
  "doxygen-awesome-css  ${DOXYGEN_AWESOME_DIR:-/usr/share/doxygen-awesome-css}/doxygen-awesome.css"
  "libjs-mathjax        ${MATHJAX_DIR:-/usr/share/javascript/mathjax}/MathJax.js"
)

OLDEST_COMPILER=12

MISSING=()           # packages
COMPILER=''          # the g++ to build with
COMPILER_FLAGS=()    # for Bazel, when it is not the plain one

check_platform() {
  local platform
  platform=$(uname -sm)
  [[ $platform == "Linux x86_64" ]] || fail 1 "this machine is $platform. ANDREA needs Linux on \
x86-64: Debian 12, Ubuntu 22.04 or later, or WSL2 on Windows."
}

# Seeks a library where tools/bazel/system_library.bzl does.
has_library() {  # PACKAGE NAME BELOW HEADER
  local override=${2^^}_INCLUDE_DIR root
  if [[ -n ${!override:-} ]]; then
    [[ -e ${!override}/$4 ]]
    return
  fi
  for root in /usr/include /usr/include/x86_64-linux-gnu /usr/local/include; do
    [[ -e $root$3/$4 ]] && return
  done
  return 1
}

# Bazel compiles by gcc, and that one wants a g++ of its own version.
find_compiler() {
  local suffix version
  for suffix in "" -12 -13 -14 -15; do
    command -v "g++$suffix" >/dev/null || continue
    version=$("gcc$suffix" -dumpversion 2>/dev/null) || continue
    version=${version%%.*}
    if ((version >= OLDEST_COMPILER)); then
      # shellcheck disable=SC2034
      COMPILER=g++$suffix
      # shellcheck disable=SC2034
      [[ -z $suffix ]] || COMPILER_FLAGS=("--repo_env=CC=gcc$suffix")
      return
    fi
  done
  return 1
}

# The package that brings a compiler young enough: Ubuntu 22.04's g++ is version 11.
compiler_package() {
  if command -v g++ >/dev/null || grep -qs '^VERSION_CODENAME=jammy' /etc/os-release; then
    echo "g++-$OLDEST_COMPILER"
  else
    echo g++
  fi
}

# find_missing [site]
find_missing() {
  local library
  local -a columns libraries=("${LIBRARIES[@]}")
  MISSING=()
  [[ ${1:-} != site ]] || libraries+=("${SITE_LIBRARIES[@]}")
  command -v bazel >/dev/null || MISSING+=(bazel-bootstrap)
  find_compiler || MISSING+=("$(compiler_package)")
  # A student's edition has no grader.
  # shellcheck disable=SC2153
  if [[ -d $ROOT/tools/course/grader ]]; then
    libraries+=("${GRADER_LIBRARIES[@]}")
    command -v bwrap >/dev/null || MISSING+=(bubblewrap)
  fi
  for library in "${libraries[@]}"; do
    read -ra columns <<<"$library"
    has_library "${columns[@]}" || MISSING+=("${columns[0]}")
  done
  [[ ${1:-} != site ]] || for library in "${SITE_TOOLS[@]}"; do
    read -ra columns <<<"$library"
    [[ -e ${columns[1]} ]] || command -v "${columns[1]}" >/dev/null || MISSING+=("${columns[0]}")
  done
  # Either of the two multiplies matrices; oneDNN is the better one.
  # shellcheck disable=SC2086
  has_library $ONEDNN || has_library $OPENBLAS || MISSING+=("${ONEDNN%% *}")
}

# make_ready [site]: leaves what the build needs installed, and for the site what that needs, or ends the
# script.
make_ready() {
  check_platform
  find_workspace
  find_missing "$@"
  ((${#MISSING[@]} > 0)) || return 0
  install_missing
  find_missing "$@"
  ((${#MISSING[@]} == 0)) || fail 1 "still missing after the installation: ${MISSING[*]}."
  # A running server would not look again for the libraries that it missed.
  run_bazel "Stopping Bazel" shutdown || true
}

install_missing() {
  local -a as_root=() install
  local answer
  say "The build needs what this machine lacks: ${MISSING[*]}"
  if [[ " ${MISSING[*]}" == *" g++"* ]] && command -v g++ >/dev/null; then
    say "(g++ here is version $(g++ -dumpversion); $OLDEST_COMPILER or later is needed.)"
  fi
  command -v apt-get >/dev/null || fail 1 "there is no apt-get here to install them with. Install \
what these Debian packages hold, then run this again."

  install=(apt-get install --yes --no-install-recommends "${MISSING[@]}")
  if [[ $(id -u) != 0 ]]; then
    as_root=(sudo)
    local by_hand="sudo apt-get update && sudo ${install[*]}"
    command -v sudo >/dev/null || fail 1 "without sudo only root can install them: ${by_hand//sudo /}"
    if ! $YES; then
      [[ -t 0 && -t 2 ]] || fail 1 "nobody to ask here. Pass --yes, or run: $by_hand"
      say "They are installed by: ${as_root[*]} ${install[*]}"
      read -r -p "Do it now? [y/n] " answer
      [[ ${answer,,} == y* ]] || fail 1 "nothing was installed."
    fi
  fi

  say "Installing them with apt (a few minutes at most) ..."
  LOG=${LOG:-$(mktemp)}
  # Lists may be absent, as in a container, or so old that the packages are gone.
  apt-cache show "${MISSING[@]}" >/dev/null 2>&1 || run_apt update || true
  if ! apt-cache show "${ONEDNN%% *}" >/dev/null 2>&1; then
    install=("${install[@]/#${ONEDNN%% *}/${OPENBLAS%% *}}")
  fi
  run_apt "${install[@]:1}" || { run_apt update && run_apt "${install[@]:1}"; } || {
    tail -n 20 "$LOG" >&2
    fail 1 "apt could not install them; its last lines are above."
  }
}

run_apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 "$@" \
    </dev/null >>"$LOG" 2>&1
}
