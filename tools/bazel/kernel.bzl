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

Under --config=cuda nvcc compiles softmax.cu for a card, and each of the three names is that; softmax_test_check is
left out then. What the simulator's own folder has is for the simulator, whatever the flags.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("//tools/bazel:cuda.bzl", "Architectures", "Toolkit", "nvcc_object")
load(
    "//tools/bazel:kernel_flags.bzl",
    "CHECK_FLAGS",
    "FAST_FLAGS",
    "HOOKS",
    "KERNEL_FLAGS",
    "LANGUAGE_FLAGS",
)

def _simulated_object(ctx, toolchain, features):
    """Compiles ctx.file.src for the simulator."""
    rewritten = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.run(
        executable = ctx.executable._rewrite,
        # What nvcc would refuse is refused here too, in the lint's words.
        arguments = [ctx.file.src.path, "--out", rewritten.path, "--lint"],
        inputs = [ctx.file.src] + ctx.files.hdrs,
        outputs = [rewritten],
        mnemonic = "CudaRewrite",
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
    return (outputs.pic_objects or outputs.objects)[0]

def _kernel_object_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    if ctx.attr.toolkit:
        compiled = nvcc_object(
            ctx,
            toolkit = ctx.attr.toolkit[Toolkit],
            architectures = ctx.attr._architectures[Architectures],
            compiler = cc_common.get_tool_for_action(
                feature_configuration = features,
                action_name = CPP_COMPILE_ACTION_NAME,
            ),
            contexts = [dep[CcInfo].compilation_context for dep in ctx.attr.deps],
        )
    else:
        compiled = _simulated_object(ctx, toolchain, features)
    watched = ctx.attr.check and not ctx.attr.toolkit

    # Closed: what this object has of inline functions and templates is its own, so that instrumented and
    # plain copies, or two sets' helpers of one name, never stand in for each other. nvcc makes global symbols of
    # what an unnamed namespace holds; here they are the object's own again.
    closed = ctx.actions.declare_file(ctx.label.name + ".closed.o")
    commands = [
        "set -e",
        "ld -r --force-group-allocation -o {out} {compiled}",
        "nm --defined-only {out} | awk '$2 ~ /^[VWu]$/ || $3 ~ /_GLOBAL__N_/ {{ print $3 }}' > {out}.weak",
        # objcopy fails on an empty list, which a source without launches has.
        "[ ! -s {out}.weak ] || objcopy --localize-symbols={out}.weak {out}",
        "objcopy {renamed} {out}",
        "rm {out}.weak",
    ]
    if watched:
        commands.append("{gaps} {out}")
    renamed = ["--redefine-sym " + hook for hook in HOOKS]
    ctx.actions.run_shell(
        command = "\n".join(commands).format(
            compiled = compiled.path,
            gaps = ctx.executable._gaps.path,
            out = closed.path,
            renamed = " ".join(renamed if watched else []),
        ),
        inputs = [compiled],
        outputs = [closed],
        tools = [ctx.executable._gaps] if watched else [],
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
        "toolkit": attr.label(doc = "nvcc's, where it is for a card", providers = [Toolkit]),
        "_architectures": attr.label(default = "//tools/bazel:cuda_architectures"),
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

def _on_a_card(value, otherwise):
    """The value under --config=cuda, but not in the simulator's own folder."""
    if native.package_name().split("/")[0] == "simulator":
        return otherwise
    return select({
        "//tools/bazel:cuda": value,
        "//conditions:default": otherwise,
    })

def left_out_on_a_card(build):
    """target_compatible_with of a test of one of the two builds, which under --config=cuda are the same."""
    return _on_a_card(["//tools/bazel:nowhere"], []) if build == "check" else []

def _runtime():
    """What calls the CUDA runtime."""
    return _on_a_card(["//simulator:cuda_runtime"], ["//simulator"])

def kernel_library(name, src, hdrs = [], deps = [], kernels = [], copts = [], **kwargs):
    """CUDA source as a library.

    Args:
      name: makes <name>_fast, <name>_check and <name>, one of the two.
      src: the .cu file.
      hdrs: headers, for itself and for who calls its functions. They must not launch kernels.
      deps: other libraries that it includes.
      kernels: names of other kernel_library targets whose functions it calls; each build is linked with the same of
        them.
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
            deps = deps + [kernel + "_" + build for kernel in kernels] + _runtime(),
            tags = kwargs.get("tags"),
            testonly = kwargs.get("testonly"),
            toolkit = _on_a_card("@cuda_toolkit//:toolkit", None),
            visibility = ["//visibility:private"],
        )
        native.cc_library(
            name = name + "_" + build,
            srcs = [":" + name + "_" + build + "_object"],
            hdrs = hdrs,
            deps = deps + [kernel + "_" + build for kernel in kernels] + _runtime(),
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
            target_compatible_with = left_out_on_a_card(build),
            deps = deps + [kernel + "_" + build for kernel in kernels] + _runtime(),
            **kwargs
        )
    native.test_suite(
        name = name,
        tags = tags,
        tests = [name + "_fast", name + "_check"],
    )
