# shellcheck shell=bash
#
# --kernels SET, --use SET:NN and --device as Bazel flags: `--use lessons:03` becomes
# --//kernels:use_attention=//lessons/03_attention:kernels, and `--use lessons:01-03` is three of
# them. The program sees them as well, and records them. --check becomes --define=simulator=check,
# --device gpu becomes --config=cuda.

LESSONS=(01 02 03 04 05 06 07)

# The TODOs of exercises that no operation calls: only their own tests do.
UNCALLED='TODO.(02[.][1-4]|05[.]5|07[.]7)[)]'

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

# The sets that have kernels: "cpu, cuda, lessons".
known_sets() {
  local set lesson known=cpu
  [[ ! -e $ROOT/kernels/cuda/BUILD ]] || known+=", cuda"
  for set in lessons solutions; do
    for lesson in "${LESSONS[@]}"; do
      kernels_package "$set" "$lesson" >/dev/null || continue
      known+=", $set"
      break
    done
  done
  echo "$known"
}

no_such_set() { fail 2 "there is no kernel set '$1'; sets: $(known_sets)."; }  # SET

# Flags for the operations of one lesson. The cpu set's need none: they are what a program has unless
# it is told otherwise.
use_lesson() {  # SET LESSON
  local operation package
  case $1 in
    cpu) return ;;
    cuda) [[ -e $ROOT/kernels/cuda/BUILD ]] || no_such_set cuda ;;
    lessons | solutions)
      package=$(kernels_package "$1" "$2") ||
        fail 2 "the set '$1' has no kernels for $2 yet; sets: $(known_sets)."
      tell_unwritten "$package"
      ;;
    *) no_such_set "$1" ;;
  esac
  for operation in $(lesson_operations "$2"); do
    case $1:$operation in
      cuda:block | cuda:transformer) ;;  # composed, or see use_whole_model
      cuda:*) KERNEL_FLAGS+=("--//kernels:use_$operation=//kernels/cuda:$operation") ;;
      *) KERNEL_FLAGS+=("--//kernels:use_$operation=//$package:kernels") ;;
    esac
  done
}

# A tuned set has a decoding with a cache, and cuda a whole model, that go round the smaller
# operations: they serve where all of these are of the set.
use_whole_model() {  # the sets of all lessons
  local set all=$1
  for set; do [[ $set == "$1" ]] || all=several; done
  case $all in
    cpu) ;;
    cuda)
      KERNEL_FLAGS+=("--//kernels:use_transformer=//kernels/cuda:transformer"
        "--//kernels:use_training_pass=//kernels/cuda:transformer"
        "--//kernels:use_decode=//kernels/cuda:decode")
      ;;
    *) KERNEL_FLAGS+=("--//kernels:use_decode=//kernels/composed:decode") ;;
  esac
}

# The lessons that NN or NN-NN names.
lessons_of() {  # LESSON, or FIRST-LAST
  local lesson first=${1%-*} last=${1#*-} found=''
  for lesson in "${LESSONS[@]}"; do
    [[ $lesson < $first || $lesson > $last ]] || found+=" $lesson"
  done
  [[ $found == " $first"* && $found == *" $last" ]] ||
    fail 2 "there is no lesson '$1' with kernels; lessons: ${LESSONS[*]}, or several as 01-03."
  echo "$found"
}

# Says where a student's kernel is not written yet: it would hand on whatever its memory holds. Else
# which of its exercises is known to be wrong.
tell_unwritten() {  # PACKAGE
  local todo failed kernel=$1/kernel.cu
  todo=$(grep -noE 'TODO\([0-9.]+\)' "$ROOT/$kernel" | grep -vE "$UNCALLED" | head -n 1) || true
  if [[ -n $todo ]]; then
    say "Note: $kernel has ${todo#*:} in line ${todo%%:*}. If that is written, delete the comment;" \
      "if not, the losses mean nothing."
    return
  fi
  failed=$(failed_exercise "$kernel")
  [[ -z $failed ]] ||
    say "Note: exercise $failed failed when it was last tried, and $kernel has not changed since. Its" \
      "numbers go into the losses."
}

# The exercise of a kernel.cu that failed last, by what the runner remembers (tools/course/runner/memory.h);
# none where the file has changed since.
failed_exercise() {  # FILE
  local lesson=${1#lessons/} memory
  memory=$ROOT/.andrea/results/${lesson%%_*}.kernel.json
  [[ $1 == lessons/* && $memory -nt $ROOT/$1 ]] || return 0
  # Only in "report"; of a test the exercise comes before its failures.
  awk -v uncalled="$UNCALLED" '
    /^ "/ { now = /"report"/ }
    /"name":/ { exercise = "" }
    now && /"exercise":/ { exercise = $2; gsub(/[",]/, "", exercise) }
    now && /^ *"failures":/ && exercise != "" && "TODO(" exercise ")" !~ uncalled { print exercise; exit }
  ' "$memory"
}

# The config file whose flags a command has beside its own: that of --config, or of the run that is
# continued, which is the newest below runs/ unless --out names one (trainer/run/run_folder.h).
config_file() {  # [ARGUMENT...]
  local folder witness newest='' resume=false out='' config=''
  while (($# > 0)); do
    case $1 in
      --) break ;;
      --resume) resume=true ;;
      --out) out=${2:-} ;;
      --out=*) out=${1#*=} ;;
      --config) config=${2:-} ;;
      --config=*) config=${1#*=} ;;
    esac
    shift
  done
  if $resume && [[ -n $out ]]; then
    config=$out/config.toml
  elif $resume; then
    for folder in runs/*/; do
      [[ -f ${folder}config.toml ]] || continue
      witness=${folder}metrics.jsonl
      [[ -e $witness ]] || witness=${folder}config.toml
      [[ -z $newest || $witness -nt $newest ]] || continue
      newest=$witness config=${folder}config.toml
    done
  fi
  echo "$config"
}

# A value of a config file, a line for each of a list: kernels = "cpu", use = ["lessons:03"].
config_value() {  # NAME FILE
  [[ -f $2 ]] || return 0
  sed -nE "/^[[:space:]]*$1[[:space:]]*=/{s/^[^=]*=//;s/[][\"[:space:]]//g;/./p;}" "$2" | tr , '\n'
}

# What the command line and the config file ask for: SET, USES, DEVICE, CHECKED.
read_choices() {  # COMMAND [ARGUMENT...]
  local command=$1 config option value
  SET='' DEVICE='' CHECKED=false
  USES=()
  shift
  config=$([[ $command != train && $command != info ]] || config_file "$@")
  while (($# > 0)); do
    case $1 in
      --) break ;;
      --kernels | --use | --device)
        (($# > 1)) ||
          fail 2 "$1 needs a value, as --kernels cpu, --use lessons:03 or --device gpu."
        option=$1 value=$2
        shift
        ;;
      --kernels=* | --use=* | --device=*) option=${1%%=*} value=${1#*=} ;;
      --check) option=$1 ;;
      *) option='' ;;
    esac
    case $option in
      --check) CHECKED=true ;;
      --kernels) SET=$value ;;
      --device) DEVICE=$value ;;
      --use)
        [[ $value == *:* ]] || fail 2 "--use takes SET:NN, as lessons:03, not '$value'."
        USES+=("$value")
        ;;
    esac
    shift
  done
  if [[ -n $config ]]; then
    SET=${SET:-$(config_value kernels "$config")}
    DEVICE=${DEVICE:-$(config_value device "$config")}
    ((${#USES[@]} > 0)) || mapfile -t USES < <(config_value use "$config")
  fi
  SET=${SET:-auto} DEVICE=${DEVICE:-auto}
}

# Where the kernels run. By itself a card is taken only for what names no kernels: who names the
# lessons' wants the simulator's reports, unless they say otherwise.
choose_device() {  # COMMAND
  case $DEVICE in
    auto)
      on_a_card || $CHECKED || [[ $1 == bench || $SET != auto || ${#USES[@]} != 0 ]] || take_a_card
      ;;
    cpu)
      ! on_a_card || fail 2 "--device cpu and --config=cuda are opposites: leave one away."
      ;;
    gpu) on_a_card || CARD_FLAGS+=(--config=cuda) ;;
    *) fail 2 "--device is gpu, cpu or auto, not '$DEVICE'." ;;
  esac
  if on_a_card; then
    [[ $1 != bench ]] || fail 2 "bench measures the CPU; it has no card."
    ! $CHECKED || fail 2 "--check is the simulator's, and this asks for a card: leave one away."
    [[ $SET != cpu || ${#USES[@]} != 0 ]] ||
      fail 2 "the cpu set has no kernels for a card: take others, as by --kernels cuda."
  fi
}

# Fills KERNEL_FLAGS, and CARD_FLAGS, from a command and its arguments. Of two choices for a lesson
# the later one holds.
choose_kernels() {  # COMMAND [ARGUMENT...]
  local lesson lessons use
  local -A chosen=()
  read_choices "$@"
  choose_device "$1"
  ! $CHECKED || KERNEL_FLAGS+=(--define=simulator=check)
  [[ $SET != auto ]] || SET=$(on_a_card && echo cuda || echo cpu)
  for lesson in "${LESSONS[@]}"; do chosen[$lesson]=$SET; done
  for use in "${USES[@]}"; do
    lessons=$(lessons_of "${use#*:}")
    for lesson in $lessons; do chosen[$lesson]=${use%%:*}; done
  done
  for lesson in "${LESSONS[@]}"; do use_lesson "${chosen[$lesson]}" "$lesson"; done
  use_whole_model "${chosen[@]}"
}
