# shellcheck shell=bash
#
# ./andrea doctor: what this machine has, and what that allows. It installs and builds nothing.

# A step of 120m at 1,024 tokens, in MB: four floats (value, gradient, two moments) for each of
# 98,820,096 parameters, and about 800 MB of activations.
STEP_OF_120M=$((98820096 * 4 * 4 / 1000000 + 800))

doctor() {
  local good=ok bad=-- bold='' plain='' system cards cores memory
  if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
    good=$'\033[32mok\033[0m' bad=$'\033[33m--\033[0m' bold=$'\033[1m' plain=$'\033[0m'
  fi
  system=$(uname -sm)
  find_missing
  look_for_toolkit || true
  cards=$(cards)
  cores=$(nproc 2>/dev/null || echo 1)
  memory=$(megabytes MemAvailable)

  echo "${bold}This machine${plain}"
  if [[ $system == "Linux x86_64" ]]; then
    report yes system "$system, $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release)"
  else
    report '' system "$system; ANDREA needs Linux on x86-64"
  fi
  report "$COMPILER" compiler "${COMPILER:+$COMPILER, version $($COMPILER -dumpfullversion)}"
  report "$(command -v bazel)" Bazel "$(bazel_version)"
  report "$(matrix_library)" "matrix library" "$(matrix_library)"
  report "$(of_toolkit version)" "CUDA toolkit" "$(toolkit)"
  report "$cards" GPU "$cards"
  report yes cores "$cores"
  report "$(simd)" SIMD "$(simd)"
  report "$memory" memory "$(gigabytes "$(megabytes MemTotal)"), $(gigabytes "$memory") of them available"
  report yes disk "$(df -h --output=avail "$ROOT" | tail -n 1 | tr -d ' ') free here"

  echo "${bold}What that allows${plain}"
  if ((${#MISSING[@]} == 0)); then
    echo "  Everything that the build needs is here."
  else
    echo "  To build, these packages are missing: ${MISSING[*]}."
    echo "  './andrea setup' installs them, and so does every command that builds."
  fi
  what_cards_allow "$cards"
  echo "  A step of 120m at 1,024 tokens needs $(gigabytes "$STEP_OF_120M") of memory;" \
    "$( ((memory >= STEP_OF_120M)) || echo "only ")$(gigabytes "$memory") are available."
  echo "  './andrea info --preset NAME' tells the same of any model."
  echo "  './andrea bench' tells the speed."
}

report() {  # WHETHER-THERE WHAT DETAIL
  printf '  %s  %-15s %s\n' "$([[ -n $1 ]] && echo "$good" || echo "$bad")" "$2" "${3:-none}"
}

megabytes() { awk -v name="$1:" '$1 == name { print int($2 * 1.024 / 1000) }' /proc/meminfo; }

gigabytes() { printf '%d.%d GB' "$((($1 + 50) / 1000))" "$((($1 + 50) % 1000 / 100))"; }

# Debian's build of Bazel does not know its own version.
bazel_version() {
  command -v bazel >/dev/null || return 0
  dpkg-query --show --showformat='${Version} (bazel-bootstrap)' bazel-bootstrap 2>/dev/null ||
    bazel --version 2>/dev/null || true
}

matrix_library() {
  # shellcheck disable=SC2086
  if has_library $ONEDNN; then
    echo oneDNN
  elif has_library $OPENBLAS; then
    echo "OpenBLAS; oneDNN would be used first (${ONEDNN%% *})"
  fi
}

# "13.0, /usr/local/cuda/bin/nvcc", or why there is none.
toolkit() {
  local version
  version=$(of_toolkit version)
  if [[ -n $version ]]; then
    echo "$version, $(of_toolkit nvcc)"
  else
    echo "none: $(of_toolkit missing)"
  fi
}

what_cards_allow() {  # CARDS
  if [[ -n $1 && -n $(of_toolkit version) ]]; then
    echo "  Models train on the card, or with --device cpu on the CPU, by $cores threads."
    echo "  The lessons' kernels run under the simulator, and with --device gpu on the card:"
    echo "    ./andrea test --config=cuda"
    echo "    ./andrea train --device gpu --kernels lessons"
    return
  fi
  echo "  Models train on the CPU, by $cores threads."
  if [[ -z $(of_toolkit version) ]]; then
    echo "  Kernels run under the simulator$([[ -z $1 ]] || echo "; for the card, the toolkit is missing")."
  else
    echo "  Kernels run under the simulator. With --config=cuda they compile for a card, but none is here."
  fi
}

# The instruction sets that matter to matrix products, as /proc/cpuinfo names them.
simd() {
  local flags name found=''
  flags=" $(grep -m 1 '^flags' /proc/cpuinfo) "
  for name in avx2 fma avx512f avx512_vnni avx512_bf16 amx_bf16 amx_int8; do
    [[ $flags != *" $name "* ]] || found+="$name "
  done
  echo "${found% }"
}
