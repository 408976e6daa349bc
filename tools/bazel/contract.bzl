"""The operations of the contract, and who implements each."""

def operation(name, default, deps = []):
    """Declares kernels/<name>.h and the flag that chooses its implementation.

    Args:
      name: the operation. Makes //kernels:<name>, the header alone, and the label flag
        //kernels:use_<name>.
      default: the implementation where nothing else is said: a cc_library with alwayslink, since
        the linker would otherwise drop, or silently prefer, one of two that define the same names.
      deps: what the header includes, beside launch.h.
    """
    native.exports_files([name + ".h"])
    native.cc_library(
        name = name,
        hdrs = [name + ".h"],
        deps = [":launch"] + deps,
    )
    native.label_flag(
        name = "use_" + name,
        build_setting_default = default,
    )

def _kernel_origins_impl(ctx):
    lines = []
    for flag in ctx.attr.flags:
        # A label flag is seen here as the library that it stands for, but its order is the list's.
        lines.append('    {"%s", "%s"},\n' % (ctx.attr.operations[len(lines)], flag.label))
    ctx.actions.write(ctx.outputs.out, "".join(lines))

# Writes a C++ initialiser list of {operation, label of its implementation}.
kernel_origins = rule(
    implementation = _kernel_origins_impl,
    attrs = {
        "flags": attr.label_list(),
        "operations": attr.string_list(),
        "out": attr.output(),
    },
)
