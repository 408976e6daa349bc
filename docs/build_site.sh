#!/usr/bin/env bash
#
# build_site.sh SITE FILES TOOL THEME MATHJAX DOXYGEN DOT [--instructor]
#
# Writes the site into the folder SITE. FILES lists what it is made of, a path a line; TOOL is
# //tools/site, THEME and MATHJAX are folders, DOXYGEN and DOT programs. Bazel calls it.
#
# Doxygen works in a copy of the files, so that paths in its output are those of the repository.

set -euo pipefail

site=$PWD/$1 files=$PWD/$2 tool=$PWD/$3 theme=$PWD/$4 mathjax=$PWD/$5 doxygen=$6 dot=$7
instructor=${8:-}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
xargs --arg-file="$files" cp --dereference --parents --target-directory="$work"
cd "$work"
# shellcheck disable=SC2086
"$tool" pages --out made $instructor

# What Doxygen reads: the pages; headers, whose comments the tool turns into documentation; for call graphs
# the operations of one set, since each function can have one definition: the instructor's site has the
# solutions, with their kernels. Not what lessons keep for their own tests, nor the
# simulator's copies of CUDA's headers, which declare what CUDA documents.
inputs() {
  echo docs/site/topics.dox
  find made/pages -name '*.md' | sort
  {
    find kernels trainer simulator tests/harness -name '*.h' ! -path 'simulator/include/*'
    find lessons -maxdepth 1 -name '*.h' -o -maxdepth 1 -name '*.cuh'
    find lessons -name kernel.h -o -name further.h -o -name 'reference.h' -o -name '*_reference.h'
    find simulator/include -path '*/nvcc/tensor_core.h' -o -name library_call.h -o -name reports.h
    if [[ -n $instructor ]]; then
      find solutions -name '*.cu'
    else
      find kernels/composed kernels/cpu -name '*.cc'
    fi
  } | sort -u
}

{
  echo "@INCLUDE = docs/site/Doxyfile"
  echo "OUTPUT_DIRECTORY = made"
  echo "LAYOUT_FILE = made/layout.xml"
  echo "USE_MDFILE_AS_MAINPAGE = made/pages/index.md"
  echo "HTML_HEADER = docs/site/header.html"
  echo "HTML_FOOTER = docs/site/footer.html"
  echo "HTML_EXTRA_STYLESHEET = $theme/doxygen-awesome.css $theme/doxygen-awesome-sidebar-only.css" \
    "$theme/doxygen-awesome-sidebar-only-darkmode-toggle.css docs/site/style.css"
  echo "DOT_PATH = $dot"
  echo "STRIP_FROM_PATH = $work"
  for ending in h cuh cc cu; do
    echo "FILTER_PATTERNS += *.$ending=\"$tool filter\""
  done
  inputs | sed 's/^/INPUT += /'
} >Doxyfile.made

"$doxygen" Doxyfile.made 2>warnings || {
  # Paths of the copy mean nothing to the reader.
  sed "s!$work/!!g" warnings >&2
  exit 1
}

mkdir -p "$site"
cp -r made/html/. made/figures "$site/"
cp docs/site/scripts.js "$theme"/*.js "$site/"
cat docs/site/search.css >>"$site/search/search.css"
cp --dereference --recursive "$mathjax" "$site/mathjax"
chmod -R u+w "$site"
# shellcheck disable=SC2086
"$tool" search --site "$site" $instructor
