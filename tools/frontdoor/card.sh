# shellcheck shell=bash
#
# --config=cuda, or --device gpu: kernels compiled by nvcc, on a card (docs/gpu.md).

# For Bazel; empty where kernels are simulated.
CARD_FLAGS=()

# Takes --config=cuda and --cuda_architectures=... out of a command's arguments, into CARD_FLAGS. What is
# left is in ARGUMENTS.
take_card_flags() {  # [ARGUMENT...]
  ARGUMENTS=()
  while (($# > 0)); do
    case $1 in
      --) break ;;
      --config=cuda | --cuda_architectures=*) CARD_FLAGS+=("$1") ;;
      *) ARGUMENTS+=("$1") ;;
    esac
    shift
  done
  ARGUMENTS+=("$@")
  ((${#CARD_FLAGS[@]} == 0)) || [[ " ${CARD_FLAGS[*]} " == *" --config=cuda "* ]] ||
    fail 2 "--cuda_architectures is for --config=cuda, which is not there."
}

# Whether the arguments ask for a card.
on_a_card() { ((${#CARD_FLAGS[@]} > 0)); }

# What cuda_toolkit.sh has printed. It asks nvcc and the driver, which take their time: once is enough.
TOOLKIT=''
look_for_toolkit() { TOOLKIT=$(bash "$ROOT/tools/frontdoor/cuda_toolkit.sh"); }

# Says what is missing to compile for a card, and ends the script.
need_toolkit() {
  [[ -n $TOOLKIT ]] || look_for_toolkit || true
  [[ $TOOLKIT != missing* ]] || fail 1 "to compile for a card: ${TOOLKIT#missing }"
}

# A value of what was found; empty where there is none.
of_toolkit() { sed -n "s/^$1 //p" <<<"$TOOLKIT"; }  # NAME

# The cards, as "NVIDIA H200, 143771 MiB, driver 570.86.15".
cards() {
  PATH=$PATH:/usr/lib/wsl/lib nvidia-smi --query-gpu=name,memory.total,driver_version \
    --format=csv,noheader 2>/dev/null | sed 's/, \([^,]*\)$/, driver \1/' | paste -sd ';' || true
}

# --device auto: the card, if there is one and what compiles for it; says which it is.
take_a_card() {
  local found
  found=$(cards)
  [[ -n $found ]] || return 0
  if look_for_toolkit; then
    CARD_FLAGS=(--config=cuda)
    say "On the card ($found); --device cpu takes the CPU."
  else
    say "On the CPU, since nothing compiles for the card ($found): ${TOOLKIT#missing }"
  fi
}

# Compiles and runs a CUDA program on the card, in place of this script.
run_cuda_on_a_card() {  # FILE OR FLAG OF nvcc... [-- ARGUMENT...]
  local nvcc libraries program
  local -a words=()
  need_toolkit
  nvcc=$(of_toolkit nvcc) libraries=$(of_toolkit libraries)
  while (($# > 0)) && [[ $1 != -- ]]; do
    case $1 in
      --check) fail 2 "--check is the simulator's. On a card there is NVIDIA's compute-sanitizer." ;;
      --profile | --profile=*)
        fail 2 "--profile is the simulator's. On a card there is NVIDIA's Nsight Compute (ncu)."
        ;;
      *) words+=("$1") ;;
    esac
    shift
  done
  (($# == 0)) || shift
  [[ " ${words[*]} " == *".cu "* ]] || fail 2 "cuda --config=cuda needs the file of a program, as shift.cu."
  program=$(mktemp "${TMPDIR:-/tmp}/andrea.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -f '$program'" EXIT
  "$nvcc" -std=c++20 -O3 -lineinfo -arch="$(architecture_here)" -I"$ROOT" \
    -I"$ROOT/simulator/include/nvcc" -ccbin "$COMPILER" -o "$program" "${words[@]}" \
    -lcublas -lcublasLt -Xlinker -rpath,"$libraries" || fail 1 "the build failed; its errors are above."
  local status=0
  "$program" "$@" || status=$?
  exit "$status"
}

# What a program for this machine is compiled for: its card, if nvcc knows it, else what nvcc takes.
architecture_here() {
  local card
  card=$(of_toolkit cards)
  card=${card%% *}
  if [[ -n $card && " $(of_toolkit compiles) " == *" $card "* ]]; then
    echo "$card"
  else
    echo sm_80
  fi
}
