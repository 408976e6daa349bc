"""How CUDA sources are compiled for a card: by nvcc, under --config=cuda."""

Toolkit = provider(
    doc = "The CUDA toolkit (cuda_toolkit.bzl).",
    fields = {
        "cards": "what the cards of this machine need, as [\"sm_90\"]; empty where there are none",
        "compiles": "what nvcc has machine code for",
        "nvcc": "its path",
        "version": "its version",
    },
)

# What is compiled for where nobody says and there is no card: the data centre's cards since 2020. What is
# younger translates the PTX of the last one.
_WITHOUT_A_CARD = ["sm_80", "sm_90"]

# For targets that have a sense only with the simulator: they are left out under --config=cuda.
SIMULATOR_ONLY = select({
    "//tools/bazel:cuda": ["//tools/bazel:nowhere"],
    "//conditions:default": [],
})

def _toolkit_impl(ctx):
    return [Toolkit(
        cards = ctx.attr.cards,
        compiles = ctx.attr.compiles,
        nvcc = ctx.attr.nvcc,
        version = ctx.attr.version,
    )]

toolkit = rule(
    implementation = _toolkit_impl,
    attrs = {
        "cards": attr.string_list(),
        "compiles": attr.string_list(),
        "nvcc": attr.string(),
        "version": attr.string(),
    },
)

def _missing_toolkit_impl(ctx):
    fail("\n\n  --config=cuda: " + ctx.attr.sentence + "\n")

missing_toolkit = rule(
    implementation = _missing_toolkit_impl,
    attrs = {"sentence": attr.string()},
)

Architectures = provider(
    doc = "What to compile for.",
    fields = {"names": "as \"sm_80,sm_90\"; \"native\"; or nothing"},
)

def _architectures_flag_impl(ctx):
    return [Architectures(names = ctx.build_setting_value)]

architectures_flag = rule(
    implementation = _architectures_flag_impl,
    build_setting = config.string(flag = True),
)

def _number(architecture):
    """90 of "sm_90a"."""
    return int("".join([letter for letter in architecture.elems() if letter.isdigit()]))

def _gencode(architecture, code):
    return "-gencode=arch=compute_%s,code=%s_%s" % (architecture[3:], code, architecture[3:])

def code_flags(names, toolkit):
    """nvcc's flags for what the architectures flag names.

    Args:
      names: the flag's value.
      toolkit: a Toolkit.
    """
    if names == "native" and not toolkit.cards:
        fail("--cuda_architectures=native: there is no card on this machine, or no driver for it. Name what to" +
             " compile for, as --cuda_architectures=sm_80,sm_90.")
    if names in ["", "native"]:
        youngest = toolkit.compiles[-1] if toolkit.compiles else ""
        for architecture in toolkit.compiles:
            if _number(architecture) > _number(youngest):
                youngest = architecture
        flags = []
        for card in toolkit.cards:
            if card in toolkit.compiles:
                flags.append(_gencode(card, "sm"))
            elif _number(card) > _number(youngest):
                # A card that is younger than the compiler: the driver translates.
                flags.append(_gencode(youngest, "compute"))
            else:
                fail("CUDA %s does not compile for the card of this machine, %s: it has %s. " %
                     (toolkit.version, card, ", ".join(toolkit.compiles)) +
                     "An older CUDA, of version 12 at least, may; CUDA_PATH names it.")
        if flags:
            return flags
        architectures = _WITHOUT_A_CARD
    else:
        architectures = names.split(",")
        for architecture in architectures:
            if architecture not in toolkit.compiles:
                fail("--cuda_architectures: CUDA %s does not compile for '%s': it has %s." %
                     (toolkit.version, architecture, ", ".join(toolkit.compiles)))
    return [_gencode(each, "sm") for each in architectures] + [_gencode(architectures[-1], "compute")]

# For the C++ compiler behind nvcc. Weak symbols as kernel.bzl needs them.
_HOST_FLAGS = [
    "-fPIC",
    "-fno-gnu-unique",
    "-Wall",
    "-Wextra",
]

# nvcc's own warnings of what a stub has not used yet.
_UNUSED = "--diag-suppress=128,177,550"

def nvcc_object(ctx, toolkit, architectures, compiler, contexts):
    """Compiles ctx.file.src for cards.

    Args:
      ctx: of a rule with src, hdrs and copts, which are the C++ compiler's.
      toolkit: a Toolkit.
      architectures: an Architectures.
      compiler: the path of the C++ compiler.
      contexts: compilation contexts of what is included.

    Returns:
      the object file.
    """
    compiled = ctx.actions.declare_file(ctx.label.name + ".o")
    host_flags = list(_HOST_FLAGS)
    arguments = ctx.actions.args()
    arguments.add_all(["-c", ctx.file.src, "-o", compiled, "-std=c++20", "-O3", "-lineinfo"])
    arguments.add_all(code_flags(architectures.names, toolkit))
    arguments.add(compiler, format = "--compiler-bindir=%s")
    arguments.add("--threads=0")
    if "-Werror" in ctx.fragments.cpp.copts:
        arguments.add("--Werror=all-warnings")
        host_flags.append("-Werror")
    for option in ctx.attr.copts:
        if option.startswith("-D"):
            arguments.add(option)
        elif option.startswith("-W"):
            host_flags.append(option)
    if "-Wno-unused-variable" in ctx.attr.copts:
        arguments.add(_UNUSED)
    arguments.add_joined(host_flags, join_with = ",", format_joined = "--compiler-options=%s")
    arguments.add("-I.")
    for context in contexts:
        arguments.add_all(context.quote_includes, format_each = "-I%s", uniquify = True)
        arguments.add_all(context.includes, format_each = "-I%s", uniquify = True)
        arguments.add_all(context.system_includes, format_each = "-isystem=%s", uniquify = True)
        arguments.add_all(context.defines, format_each = "-D%s", uniquify = True)
    ctx.actions.run(
        executable = toolkit.nvcc,
        arguments = [arguments],
        inputs = depset(
            [ctx.file.src] + ctx.files.hdrs,
            transitive = [context.headers for context in contexts],
        ),
        outputs = [compiled],
        mnemonic = "CudaCompile",
        progress_message = "Compiling %s for a card" % ctx.file.src.short_path,
        use_default_shell_env = True,
    )
    return compiled
