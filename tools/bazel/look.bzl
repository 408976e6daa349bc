"""Students' files that have been looked at, before they are compiled and before they are linked.

What is refused fails the build, with a sentence for each finding.

looked_at_source() looks at a text (tools/course/judge/look_first_main.cc). It is a dependency of what compiles the
text, which has to wait for it, and offers no header of any use.

looked_at_object() looks at an object (tools/course/judge/look_main.cc). What passes is the object with all symbols
its own but those that it is to offer, and a file of remarks for a person, <name>.remarks.txt.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("//tools/bazel:kernel_flags.bzl", "CHECK_FLAGS", "KERNEL_FLAGS", "LANGUAGE_FLAGS", "WITHIN_LIMITS")

def _preprocess(ctx, rewritten, context):
    """What the compiler reads when it compiles the object."""
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    out = ctx.actions.declare_file(ctx.label.name + ".ii")
    options = ctx.fragments.cpp
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        source_file = rewritten.path,
        output_file = out.path,
        include_directories = context.includes,
        quote_include_directories = context.quote_includes,
        system_include_directories = context.system_includes,
        preprocessor_defines = context.defines,
        user_compile_flags = options.copts + options.cxxopts + LANGUAGE_FLAGS + KERNEL_FLAGS + CHECK_FLAGS +
                             WITHIN_LIMITS + ["-E"],
    )
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
        ),
        arguments = cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        ),
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        ),
        inputs = depset([rewritten], transitive = [context.headers, toolchain.all_files]),
        outputs = [out],
        mnemonic = "CudaPreprocess",
    )
    return out

def _headers_to_include(deps):
    """The paths that a student's #include may name."""
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in deps]).compilation_context
    return [
        file.short_path
        for file in context.headers.to_list()
        if file.short_path.split("/")[0] in ["exam", "kernels", "lessons"]
    ]

def _looked_at_source_impl(ctx):
    waited_for = ctx.actions.declare_file(ctx.label.name + ".h")
    arguments = ctx.actions.args()
    arguments.add("--source", ctx.file.src)
    arguments.add("--path", ctx.file.src)
    arguments.add("--out", waited_for)
    arguments.add_all(_headers_to_include(ctx.attr.deps), before_each = "--header")
    if ctx.attr.worksheet:
        arguments.add("--worksheet")
    ctx.actions.run(
        executable = ctx.executable._look,
        arguments = [arguments],
        inputs = [ctx.file.src],
        outputs = [waited_for],
        mnemonic = "LookAtStudent",
    )
    return [
        DefaultInfo(files = depset([waited_for])),
        CcInfo(compilation_context = cc_common.create_compilation_context(headers = depset([waited_for]))),
    ]

looked_at_source = rule(
    implementation = _looked_at_source_impl,
    attrs = {
        "deps": attr.label_list(doc = "What the source includes.", providers = [CcInfo]),
        "src": attr.label(allow_single_file = [".cu", ".h"]),
        "worksheet": attr.bool(),
        "_look": attr.label(
            cfg = "target",
            default = "//tools/course/judge:look_first",
            executable = True,
        ),
    },
)

def _looked_at_object_impl(ctx):
    source = ctx.file.src
    name = ctx.label.name
    rewritten = ctx.actions.declare_file(name + ".cc")
    ctx.actions.run(
        executable = ctx.executable._rewrite,
        arguments = [source.path, "--out", rewritten.path],
        inputs = [source],
        outputs = [rewritten],
        mnemonic = "CudaRewrite",
    )
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context
    preprocessed = _preprocess(ctx, rewritten, context)

    admitted = ctx.actions.declare_file(name + ".o")
    keep = ctx.actions.declare_file(name + ".keep.txt")
    remarks = ctx.actions.declare_file(name + ".remarks.txt")
    arguments = ctx.actions.args()
    arguments.add("--source", source)
    arguments.add("--path", source.path)
    arguments.add("--preprocessed", preprocessed)
    arguments.add("--object", ctx.file.object)
    arguments.add("--names", ctx.file.names)
    arguments.add("--runtime", ctx.file._runtime)
    arguments.add("--keep", keep)
    arguments.add("--remarks", remarks)
    arguments.add_all(_headers_to_include(ctx.attr.deps), before_each = "--header")
    if ctx.attr.cublas:
        arguments.add("--cublas")
    outputs = [keep, remarks]
    if ctx.outputs.findings:
        arguments.add("--findings", ctx.outputs.findings)
        outputs.append(ctx.outputs.findings)
    ctx.actions.run(
        executable = ctx.executable._look,
        arguments = [arguments],
        inputs = [source, preprocessed, ctx.file.object, ctx.file.names, ctx.file._runtime],
        outputs = outputs,
        mnemonic = "LookAtStudent",
    )
    ctx.actions.run_shell(
        command = "objcopy --keep-global-symbols=%s %s %s" % (keep.path, ctx.file.object.path, admitted.path),
        inputs = [keep, ctx.file.object],
        outputs = [admitted],
        mnemonic = "CloseStudent",
    )
    return [
        DefaultInfo(files = depset([admitted])),
        OutputGroupInfo(remarks = depset([remarks])),
    ]

looked_at_object = rule(
    implementation = _looked_at_object_impl,
    attrs = {
        "cublas": attr.bool(doc = "Whether the lesson has exercises for that library."),
        "deps": attr.label_list(providers = [CcInfo]),
        "findings": attr.output(doc = "Where what is found goes; the build does not fail then."),
        "names": attr.label(allow_single_file = True, doc = "What the object is to offer, a name a line."),
        "object": attr.label(allow_single_file = [".o"]),
        "src": attr.label(allow_single_file = [".cu"]),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        "_look": attr.label(
            cfg = "target",
            default = "//tools/course/judge:look",
            executable = True,
        ),
        "_rewrite": attr.label(
            cfg = "target",
            default = "//simulator/rewriter:rewrite",
            executable = True,
        ),
        "_runtime": attr.label(
            allow_single_file = True,
            default = "//simulator:libandrea_simulator.so",
        ),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
