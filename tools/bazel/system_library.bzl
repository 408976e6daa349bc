"""Finds a library that the distribution installed, and says what to install when it is missing.

    system_library(
        name = "zlib",
        headers = ["zlib.h"],
        libraries = ["z"],
        apt = "zlib1g-dev",
    )

makes @zlib//:zlib, a cc_library. Headers are sought in $ZLIB_INCLUDE_DIR, then in the usual places;
only the named headers and folders are linked into the repository, so no other header of the system
is seen through it. Libraries are found by the linker.

A variable that changes makes Bazel look again; it must know their names beforehand, so a library's
name stands in _NAMES too.

An optional library that is missing makes a repository with `FOUND = False` in @name//:found.bzl,
for BUILD files that have another choice.
"""

_NAMES = [
    "archive",
    "benchmark",
    "cli11",
    "cmark_gfm",
    "eigen",
    "googletest",
    "nlohmann_json",
    "onednn",
    "openblas",
    "pcre2",
    "seccomp",
    "zlib",
]

_INCLUDE_ROOTS = [
    "/usr/include",
    "/usr/include/x86_64-linux-gnu",
    "/usr/local/include",
]

_BUILD = """\
cc_library(
    name = "{name}",
    hdrs = glob(["include/**"]),
    defines = {defines},
    includes = ["include"],
    linkopts = {linkopts},
    visibility = ["//visibility:public"],
)
"""

def _variable(name):
    return name.upper() + "_INCLUDE_DIR"

def _find(repository_ctx, roots, header):
    for root in roots:
        path = repository_ctx.path(root + "/" + header)
        if path.exists:
            return path
    return None

def _linkopts(attributes):
    options = ["-l" + library for library in attributes.libraries]
    if attributes.library_folder:
        folder = attributes.library_folder
        options = ["-L" + folder, "-Wl,-rpath," + folder] + options
    return options

def _system_library_impl(repository_ctx):
    attributes = repository_ctx.attr
    variable = _variable(attributes.original_name)
    override = repository_ctx.os.environ.get(variable)
    roots = [override] if override else [root + attributes.below for root in _INCLUDE_ROOTS]

    found = {header: _find(repository_ctx, roots, header) for header in attributes.headers}
    missing = [header for header in attributes.headers if not found[header]]
    repository_ctx.file("found.bzl", "FOUND = %s\n" % (not missing))
    if missing:
        if attributes.optional:
            repository_ctx.file("BUILD", "")
            return
        fail("\n".join([
            "",
            "  Could not find %s: no %s in %s." % (attributes.original_name, missing[0], ", ".join(roots)),
            "  On Debian or Ubuntu:  sudo apt-get install " + attributes.apt,
            "  Elsewhere, name its folder:  --repo_env=%s=/path/to/include" % variable,
        ]))

    for header, path in found.items():
        repository_ctx.symlink(path, "include/" + header)
    repository_ctx.file("BUILD", _BUILD.format(
        name = attributes.original_name,
        defines = attributes.defines,
        linkopts = _linkopts(attributes),
    ))

_system_library = repository_rule(
    implementation = _system_library_impl,
    attrs = {
        "apt": attr.string(mandatory = True, doc = "The Debian package that has it."),
        "below": attr.string(doc = "A folder below the include roots, as \"/eigen3\"."),
        "defines": attr.string_list(),
        "headers": attr.string_list(mandatory = True, doc = "Headers or folders of headers."),
        "libraries": attr.string_list(doc = "What to link, without -l."),
        "library_folder": attr.string(doc = "Where the linker and the program find the libraries, if not in the usual place."),
        "optional": attr.bool(doc = "Missing is no error."),
        "original_name": attr.string(mandatory = True),
    },
    configure = True,
    environ = [_variable(name) for name in _NAMES],
    local = True,
)

def system_library(name, **kwargs):
    """Declares the repository @name with one cc_library of the same name."""
    if name not in _NAMES:
        fail("system_library \"%s\" is not in _NAMES of tools/bazel/system_library.bzl." % name)
    _system_library(name = name, original_name = name, **kwargs)
