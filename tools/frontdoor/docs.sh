# shellcheck shell=bash
#
# ./andrea docs [--instructor] [--out DIR]: builds the site and says where it is.

run_docs() {
  local target=//docs:site out='' page
  while (($# > 0)); do
    case $1 in
      --instructor)
        [[ -e $ROOT/docs/instructor ]] || fail 2 "there is no instructor's part here: this is a student edition."
        target=//docs/instructor:site
        ;;
      --out)
        (($# > 1)) || fail 2 "--out needs a folder, as --out public."
        out=$2
        shift
        ;;
      --help) docs_help && exit ;;
      *) fail 2 "docs does not know '$1'; './andrea docs --help' tells what it takes." ;;
    esac
    shift
  done
  [[ -z $out || ! -e $out ]] || fail 2 "$out is there already. Remove it, or name another folder."
  make_ready site
  run_bazel "Writing the site" build --show_result=0 "$target" || {
    plain_words >&2
    fail 1 "the site could not be built; the reasons are above."
  }
  find_built site/index.html
  page=$PROGRAM
  if [[ -n $out ]]; then
    cp --recursive "${page%/*}" "$out" || fail 1 "the site could not be copied to $out."
    chmod -R u+w "$out"
    page=$(readlink -f "$out")/index.html
  fi
  echo "The site begins at $page"
  echo "Open it with:      $(opener) '$page'"
}

docs_help() {
  cat <<'TEXT'
./andrea docs [--instructor] [--out DIR]

Builds the site: the lessons, the manuals and the reference as pages for a browser. It needs no
network, and no server: its pages are files.

  --instructor   with the instructor's part: notes, solutions, keys
  --out DIR      copies it to the folder DIR, which must not be there yet
TEXT
}

# What opens a file in a browser: Windows' own under WSL, where xdg-open may find none.
opener() {
  if [[ -n ${WSL_DISTRO_NAME:-} ]] && command -v wslview >/dev/null; then
    echo wslview
  else
    echo xdg-open
  fi
}
