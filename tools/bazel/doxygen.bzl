"""Finds what the Doxygen site is made with: Doxygen, Graphviz's dot, the theme, MathJax.

A machine that only trains models has none of them, so a missing one is no error here: @doxygen//:found.bzl
then has the sentence MISSING, with which the site's own targets fail.
"""

_APT = "sudo apt-get install doxygen graphviz doxygen-awesome-css libjs-mathjax"

_THEME = [
    "doxygen-awesome-darkmode-toggle.js",
    "doxygen-awesome-fragment-copy-button.js",
    "doxygen-awesome-interactive-toc.js",
    "doxygen-awesome-sidebar-only-darkmode-toggle.css",
    "doxygen-awesome-sidebar-only.css",
    "doxygen-awesome.css",
]

# Of MathJax's fifty megabytes what draws TeX formulas as SVG, with its own font.
_MATHJAX = [
    "MathJax.js",
    "config/TeX-AMS_SVG.js",
    "extensions/MathEvents.js",
    "extensions/MathMenu.js",
    "extensions/MathZoom.js",
    "extensions/TeX",
    "extensions/tex2jax.js",
    "jax/element",
    "jax/input/TeX",
    "jax/output/SVG/autoload",
    "jax/output/SVG/config.js",
    "jax/output/SVG/fonts/TeX",
    "jax/output/SVG/jax.js",
]

_BUILD = """\
package(default_visibility = ["//visibility:public"])

filegroup(
    name = "theme",
    srcs = glob(["theme/**"], allow_empty = True),
)

filegroup(
    name = "mathjax",
    srcs = glob(["mathjax/**"], allow_empty = True),
)
"""

def _folder(repository_ctx, variable, usual):
    return repository_ctx.os.environ.get(variable, usual)

def _doxygen_impl(repository_ctx):
    theme = _folder(repository_ctx, "DOXYGEN_AWESOME_DIR", "/usr/share/doxygen-awesome-css")
    mathjax = _folder(repository_ctx, "MATHJAX_DIR", "/usr/share/javascript/mathjax")
    missing = [program for program in ["doxygen", "dot"] if not repository_ctx.which(program)]
    for folder, files, below in [(theme, _THEME, "theme/"), (mathjax, _MATHJAX, "mathjax/")]:
        for file in files:
            path = repository_ctx.path(folder + "/" + file)
            if path.exists:
                repository_ctx.symlink(path, below + file)
            else:
                missing.append(str(path))
    sentence = ""
    if missing:
        sentence = "The site cannot be built: there is no %s. On Debian or Ubuntu: %s" % (missing[0], _APT)
    repository_ctx.file("found.bzl", "MISSING = %r\nDOXYGEN = %r\nDOT = %r\n" % (
        sentence,
        str(repository_ctx.which("doxygen") or ""),
        str(repository_ctx.which("dot") or ""),
    ))
    repository_ctx.file("BUILD", _BUILD)

_doxygen = repository_rule(
    implementation = _doxygen_impl,
    configure = True,
    environ = [
        "DOXYGEN_AWESOME_DIR",
        "MATHJAX_DIR",
        "PATH",
    ],
    local = True,
)

def doxygen():
    """Declares the repository @doxygen."""
    _doxygen(name = "doxygen")
