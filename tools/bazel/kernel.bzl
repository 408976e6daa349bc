"""CUDA sources as libraries, and tests of them.

    kernel_library(
        name = "softmax",
        src = "softmax.cu",
        hdrs = ["softmax.h"],
    )

compiles softmax.cu for the simulator, in both of its builds:

    :softmax_fast    to run quickly
    :softmax_check   with every load and store watched
    :softmax         the one that --define=simulator=check or =fast names; fast by default

kernel_test(name = "softmax_test", srcs, kernels = [":softmax"]) is two tests of one source, softmax_test_fast
and softmax_test_check, and a test suite softmax_test of both.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load(
    "//tools/bazel:kernel_flags.bzl",
    "CHECK_FLAGS",
    "FAST_FLAGS",
    "HOOKS",
    "KERNEL_FLAGS",
    "LANGUAGE_FLAGS",
)

def _kernel_object_impl(ctx):
    rewritten = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.run(
        executable = ctx.executable._rewrite,
        # What nvcc would refuse is refused here too, in the lint's words.
        arguments = [ctx.file.src.path, "--out", rewritten.path, "--lint"],
        inputs = [ctx.file.src] + ctx.files.hdrs,
        outputs = [rewritten],
        mnemonic = "CudaRewrite",
    )

    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    _, outputs = cc_common.compile(
        name = ctx.label.name,
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = toolchain,
        srcs = [rewritten],
        private_hdrs = ctx.files.hdrs,
        # gcc reads it to show the line that an error is in.
        additional_inputs = [ctx.file.src],
        user_compile_flags = LANGUAGE_FLAGS + KERNEL_FLAGS +
                             (CHECK_FLAGS if ctx.attr.check else FAST_FLAGS) + ctx.attr.copts,
        compilation_contexts = [dep[CcInfo].compilation_context for dep in ctx.attr.deps],
    )
    compiled = (outputs.pic_objects or outputs.objects)[0]

    # Closed: what this object has of inline functions and templates is its own, so that instrumented and
    # plain copies, or two sets' helpers of one name, never stand in for each other.
    closed = ctx.actions.declare_file(ctx.label.name + ".closed.o")
    commands = [
        "set -e",
        "ld -r --force-group-allocation -o {out} {compiled}",
        "nm --defined-only {out} | awk '$2 ~ /^[VWu]$/ {{ print $3 }}' > {out}.weak",
        # objcopy fails on an empty list, which a source without launches has.
        "[ ! -s {out}.weak ] || objcopy --localize-symbols={out}.weak {out}",
        "objcopy {renamed} {out}",
        "rm {out}.weak",
    ]
    if ctx.attr.check:
        commands.append("{gaps} {out}")
    renamed = ["--redefine-sym " + hook for hook in HOOKS]
    ctx.actions.run_shell(
        command = "\n".join(commands).format(
            compiled = compiled.path,
            gaps = ctx.executable._gaps.path,
            out = closed.path,
            renamed = " ".join(renamed if ctx.attr.check else []),
        ),
        inputs = [compiled],
        outputs = [closed],
        tools = [ctx.executable._gaps],
        mnemonic = "CloseObject",
    )
    return [DefaultInfo(files = depset([closed]))]

_kernel_object = rule(
    implementation = _kernel_object_impl,
    attrs = {
        "check": attr.bool(),
        "copts": attr.string_list(),
        "deps": attr.label_list(providers = [CcInfo]),
        "hdrs": attr.label_list(allow_files = [".h", ".cuh", ".inc"]),
        "src": attr.label(allow_single_file = [".cu"]),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        "_gaps": attr.label(
            cfg = "target",
            default = "//simulator/tool:add_shared_gaps",
            executable = True,
        ),
        "_rewrite": attr.label(
            # Built once, with the flags of everything else: what it runs on is this machine.
            cfg = "target",
            default = "//simulator/rewriter:rewrite",
            executable = True,
        ),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def kernel_library(name, src, hdrs = [], deps = [], copts = [], **kwargs):
    """CUDA source as a library for the simulator.

    Args:
      name: makes <name>_fast, <name>_check and <name>, one of the two.
      src: the .cu file.
      hdrs: headers, for itself and for who calls its functions. They must not launch kernels.
      deps: other libraries that it includes.
      copts: further flags of its compilation.
      **kwargs: visibility, tags, testonly.
    """
    for build in ["fast", "check"]:
        _kernel_object(
            name = name + "_" + build + "_object",
            src = src,
            hdrs = hdrs,
            check = build == "check",
            copts = copts + select({
                "//simulator:portable": ["-march=x86-64-v3"],
                "//conditions:default": ["-march=native"],
            }),
            deps = deps + ["//simulator"],
            tags = kwargs.get("tags"),
            testonly = kwargs.get("testonly"),
            visibility = ["//visibility:private"],
        )
        native.cc_library(
            name = name + "_" + build,
            srcs = [":" + name + "_" + build + "_object"],
            hdrs = hdrs,
            deps = deps + ["//simulator"],
            alwayslink = True,
            **kwargs
        )
    native.alias(
        name = name,
        actual = select({
            "//simulator:check": name + "_check",
            "//conditions:default": name + "_fast",
        }),
        **kwargs
    )

def kernel_test(name, kernels, srcs = [], deps = [], size = "small", tags = [], **kwargs):
    """A test of kernels, once in the fast and once in the check build, where any report fails it.

    Args:
      name: makes <name>_fast and <name>_check, and a test suite of both.
      kernels: names of kernel_library targets.
      srcs: the test's own source, plain C++; empty where a kernel source has main.
      deps: what the test includes beside the kernels' headers.
      size: of each test.
      tags: of each test.
      **kwargs: of each test.
    """
    for build in ["fast", "check"]:
        native.cc_test(
            name = name + "_" + build,
            size = size,
            srcs = srcs,
            linkstatic = True,
            tags = tags,
            deps = deps + [kernel + "_" + build for kernel in kernels] + ["//simulator"],
            **kwargs
        )
    native.test_suite(
        name = name,
        tags = tags,
        tests = [name + "_fast", name + "_check"],
    )
