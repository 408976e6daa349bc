"""The Doxygen site, as a folder of HTML.

    doxygen_site(
        name = "site",
        documented = ["//trainer:andrea"],
        pages = ["//lessons:pages"],
    )

What is documented are the headers of the named targets and of all that they depend on within the
repository: a header that nothing uses is nobody's interface.
"""

load("@doxygen//:found.bzl", "DOT", "DOXYGEN", "MISSING")

_Sources = provider("The C++ sources of a target and of its dependencies.", fields = ["files"])

def _sources_impl(target, ctx):
    own = []
    if not target.label.workspace_name:
        for attribute in ["hdrs", "srcs"]:
            own += [
                file
                for file in getattr(ctx.rule.files, attribute, [])
                if file.is_source and file.extension in ["h", "cuh", "cc", "cu"]
            ]
    inherited = [
        dependency[_Sources].files
        for attribute in ["deps", "srcs", "actual"]
        for dependency in _as_list(getattr(ctx.rule.attr, attribute, []))
        if _Sources in dependency
    ]
    return [_Sources(files = depset(own, transitive = inherited))]

def _as_list(value):
    return value if type(value) == "list" else [value]

_sources = aspect(
    implementation = _sources_impl,
    attr_aspects = ["deps", "srcs", "actual"],
)

def _doxygen_site_impl(ctx):
    site = ctx.actions.declare_directory(ctx.label.name)
    if MISSING:
        ctx.actions.run_shell(
            outputs = [site],
            command = "echo '%s' >&2; exit 1" % MISSING,
        )
        return [DefaultInfo(files = depset([site]))]

    sources = depset(transitive = [each[_Sources].files for each in ctx.attr.documented])
    files = depset(ctx.files.pages, transitive = [sources])
    list_of_files = ctx.actions.declare_file(ctx.label.name + ".files")
    arguments = ctx.actions.args()
    arguments.set_param_file_format("multiline")
    arguments.add_all(files, uniquify = True)
    ctx.actions.write(list_of_files, arguments)
    ctx.actions.run(
        outputs = [site],
        inputs = depset(
            [list_of_files] + ctx.files._theme + ctx.files._mathjax,
            transitive = [files],
        ),
        executable = ctx.executable._build,
        tools = [ctx.executable._site],
        arguments = [
            site.path,
            list_of_files.path,
            ctx.executable._site.path,
            _folder_of(ctx.files._theme, "theme"),
            _folder_of(ctx.files._mathjax, "mathjax"),
            DOXYGEN,
            DOT,
        ] + (["--instructor"] if ctx.attr.instructor else []),
        mnemonic = "Doxygen",
        progress_message = "Writing the site %s" % ctx.label,
        use_default_shell_env = True,
    )
    return [DefaultInfo(
        files = depset([site]),
        runfiles = ctx.runfiles([site]),
    )]

def _folder_of(files, name):
    path = files[0].path
    return path[:path.index("/" + name + "/") + len(name) + 1]

doxygen_site = rule(
    implementation = _doxygen_site_impl,
    attrs = {
        "documented": attr.label_list(aspects = [_sources], doc = "Whose headers are documented."),
        "instructor": attr.bool(doc = "With the instructor's part."),
        "pages": attr.label_list(allow_files = True, doc = "Markdown, figures, and what pages show."),
        "_build": attr.label(default = "//docs:build_site.sh", allow_single_file = True, cfg = "target", executable = True),
        "_mathjax": attr.label(default = "@doxygen//:mathjax"),
        "_site": attr.label(default = "//tools/site", cfg = "target", executable = True),
        "_theme": attr.label(default = "@doxygen//:theme"),
    },
)
