# shellcheck shell=bash
#
# --kernels SET and --use SET:NN as Bazel flags: `--use lessons:03` becomes
# --//kernels:use_attention=//lessons/03_attention:kernels, and `--use lessons:01-03` is three of
# them. The program sees the two as well, and records them. --check becomes
# --define=simulator=check.

LESSONS=(01 02 03 04 05 06 07)

KERNEL_FLAGS=()

lesson_operations() {
  case $1 in
    01) echo embedding ;;
    02) echo dot_similarity ;;
    03) echo attention ;;
    04) echo layer_norm ;;
    05) echo linear activation ;;
    06) echo residual block ;;
    07) echo transformer cross_entropy global_norm adamw ;;
    *) return 1 ;;
  esac
}

# The package of a lesson's kernels, as "lessons/03_attention"; fails where it has none. lesson() and
# solution() of tools/bazel/lesson.bzl make a library of that name.
kernels_package() {  # SET LESSON
  local file
  file=$(grep -lsE '^(lesson|solution)\(|name = "kernels"' "$ROOT/$1/$2"_*/BUILD) || return 1
  file=${file#"$ROOT/"}
  echo "${file%/BUILD}"
}

# The sets that have kernels: "cpu, lessons".
known_sets() {
  local set lesson known=cpu
  for set in lessons solutions; do
    for lesson in "${LESSONS[@]}"; do
      kernels_package "$set" "$lesson" >/dev/null || continue
      known+=", $set"
      break
    done
  done
  echo "$known"
}

use_lesson() {  # SET LESSON
  local operation package
  case $1 in
    cpu) package='' ;;
    lessons | solutions)
      package=$(kernels_package "$1" "$2") ||
        fail 2 "the set '$1' has no kernels for $2 yet; sets: $(known_sets)."
      # A set's own decoding with a cache would go round the chosen kernels.
      KERNEL_FLAGS+=("--//kernels:use_decode=//kernels/composed:decode")
      tell_unwritten "$package"
      ;;
    *) fail 2 "there is no kernel set '$1'; sets: $(known_sets)." ;;
  esac
  for operation in $(lesson_operations "$2"); do
    KERNEL_FLAGS+=("--//kernels:use_$operation=$(implementation "$package" "$operation")")
  done
}

use_lessons() {  # SET LESSON, or SET FIRST-LAST
  local lesson first=${2%-*} last=${2#*-} found=''
  for lesson in "${LESSONS[@]}"; do
    [[ $lesson < $first || $lesson > $last ]] && continue
    found+=" $lesson"
    use_lesson "$1" "$lesson"
  done
  [[ $found == " $first"* && $found == *" $last" ]] ||
    fail 2 "there is no lesson '$2' with kernels; lessons: ${LESSONS[*]}, or several as 01-03."
}

implementation() {  # PACKAGE OPERATION
  case $1:$2 in
    :block | :transformer) echo "//kernels/composed:$2" ;;
    :*) echo "//kernels/cpu:$2" ;;
    *) echo "//$1:kernels" ;;
  esac
}

# Says where a student's kernel is not written yet: it would hand on whatever its memory holds.
tell_unwritten() {  # PACKAGE
  local todo
  todo=$(grep -noE 'TODO\([0-9.]+\)' "$ROOT/$1/kernel.cu" | head -n 1) || true
  [[ -n $todo ]] || return 0
  say "Note: $1/kernel.cu has ${todo#*:} in line ${todo%%:*}. If that is written, delete the comment;" \
    "if not, the losses mean nothing."
}

# Fills KERNEL_FLAGS from a command and its arguments. Of two choices for a lesson the later one holds.
choose_kernels() {  # COMMAND [ARGUMENT...]
  local command=$1 set=cpu lesson option value use
  local -a uses=()
  shift
  while (($# > 0)); do
    case $1 in
      --) break ;;
      --kernels | --use)
        (($# > 1)) || fail 2 "$1 needs a value, as --kernels cpu or --use lessons:03."
        option=$1 value=$2
        shift
        ;;
      --kernels=* | --use=*) option=${1%%=*} value=${1#*=} ;;
      --check) option=$1 ;;
      *) option='' ;;
    esac
    case $option in
      --check)
        ! on_a_card || fail 2 "--check is the simulator's, which --config=cuda is not: leave one away."
        KERNEL_FLAGS+=(--define=simulator=check)
        ;;
      --kernels) set=$value ;;
      --use)
        [[ $value == *:* ]] || fail 2 "--use takes SET:NN, as lessons:03, not '$value'."
        uses+=("$value")
        ;;
    esac
    shift
  done
  if on_a_card; then
    [[ $command != bench ]] || fail 2 "bench measures the CPU; it has no --config=cuda."
    [[ $set != cpu || ${#uses[@]} != 0 ]] || fail 2 "--config=cuda runs kernels on a card, and the \
cpu set has none: choose others, as by --kernels solutions or --use lessons:03."
  fi
  if [[ $set != cpu ]]; then
    for lesson in "${LESSONS[@]}"; do use_lesson "$set" "$lesson"; done
  fi
  for use in "${uses[@]}"; do use_lessons "${use%%:*}" "${use#*:}"; done
}
