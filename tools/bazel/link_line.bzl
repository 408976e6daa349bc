"""What a program is linked with beside its own objects, written to a file.

    link_line(
        name = "softmax_test_link",
        deps = ["//tests:softmax_test_cases", "//tests:main"],
        headers = ["//kernels:softmax"],
    )

makes softmax_test_link.txt, a line for each argument that the compiler needs as it links: the static libraries of
`deps` and of all that they depend on, those with alwayslink whole, and their linkopts. Paths are as a test sees
them, from the folder it starts in. Whoever has the rule in `data` has these libraries there too, and the headers
that users of `headers` include. The simulator's shared library is left out, since `./andrea cuda` brings it along.

It is for a test that compiles sources itself, many a time, and links each with the same libraries.
"""

def _link_line_impl(ctx):
    whole = []
    archives = []
    flags = []
    for dep in ctx.attr.deps:
        for input in dep[CcInfo].linking_context.linker_inputs.to_list():
            flags += input.user_link_flags
            for library in input.libraries:
                archive = library.static_library or library.pic_static_library
                if archive:
                    # Two of `deps` may bring the same one.
                    (whole if library.alwayslink else archives).append(archive)
                elif not library.dynamic_library.basename.startswith("libandrea_simulator"):
                    fail("%s: a shared library cannot be in a link line" % library.dynamic_library.path)

    # Whole ones first: a `main` among them goes before that of a library.
    words = ["-Wl,--whole-archive"] + ["-Wl," + file.short_path for file in depset(whole).to_list()]
    words += ["-Wl,--no-whole-archive", "-Wl,--start-group"]
    words += ["-Wl," + file.short_path for file in depset(archives).to_list()]
    words += depset(flags).to_list() + ["-Wl,--end-group"]
    ctx.actions.write(ctx.outputs.out, "\n".join(words) + "\n")

    headers = [dep[CcInfo].compilation_context.headers for dep in ctx.attr.headers]
    runfiles = ctx.runfiles(files = [ctx.outputs.out] + whole + archives, transitive_files = depset(transitive = headers))
    return [DefaultInfo(files = depset([ctx.outputs.out]), runfiles = runfiles)]

_link_line = rule(
    implementation = _link_line_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "headers": attr.label_list(providers = [CcInfo]),
        "out": attr.output(),
    },
)

def link_line(name, **kwargs):
    """See above.

    Args:
      name: the file is <name>.txt.
      **kwargs: deps, headers, testonly, visibility.
    """
    _link_line(
        name = name,
        out = name + ".txt",
        **kwargs
    )
