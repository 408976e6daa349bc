# shellcheck shell=bash
#
# ./andrea name NAME
#
# Writes the student's name into every worksheet that has none yet: from it numbers of one's own are
# drawn. Each worksheet keeps a name for itself, as each is handed in by itself.

name_help() {
  cat <<'TEXT'
./andrea name NAME

Writes your name into each lesson's worksheet.h, where numbers of your own are
drawn from it. A worksheet that has a name already keeps it.
TEXT
}

run_name() {  # NAME
  local name="$*" sheet written=0
  [[ ${1:-} != -h && ${1:-} != --help ]] || { name_help; exit; }
  [[ -n ${name//[[:space:]]/} ]] || fail 2 "name needs a name, as in: ./andrea name Ada Lovelace"
  [[ $name != *[\"\\[:cntrl:]]* && ${#name} -le 100 ]] ||
    fail 2 "a name has at most 100 letters, and neither quotes nor backslashes."
  for sheet in "$ROOT"/lessons/*/worksheet.h; do
    grep -qs '^inline constexpr char kName\[\] = ' "$sheet" || continue
    if ! grep -q '^inline constexpr char kName\[\] = "";' "$sheet"; then
      say "${sheet#"$ROOT/"} has a name already, and keeps it."
      continue
    fi
    sed -i "s|^inline constexpr char kName\[\] = \"\";|inline constexpr char kName[] = \"${name//[&|]/\\&}\";|" \
      "$sheet" || fail 1 "${sheet#"$ROOT/"} cannot be written."
    written=$((written + 1))
  done
  case $written in
    0) say "No worksheet was without a name." ;;
    1) say "Your name stands in one worksheet more." ;;
    *) say "Your name stands in $written worksheets." ;;
  esac
}
