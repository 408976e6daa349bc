"""Finds the CUDA toolkit for --config=cuda.

    cuda_toolkit(name = "cuda_toolkit")

makes @cuda_toolkit//:toolkit, by which tools/bazel/cuda.bzl compiles kernels, and @cuda_toolkit//:runtime, the CUDA
runtime and cuBLAS for plain C++. Both are asked for under --config=cuda alone: without it nobody looks for a
toolkit. Where none is found (tools/frontdoor/cuda_toolkit.sh looks), whatever needs one fails with a sentence that
says what to install.

The runtime is linked in, cuBLAS is shared: with its kernels for every card it would make half a gigabyte of each
program. A program finds it again where it was when the program was linked.
"""

_WHOLE = """\
load("@//tools/bazel:cuda.bzl", "toolkit")

package(default_visibility = ["//visibility:public"])

toolkit(
    name = "toolkit",
    cards = {cards},
    compiles = {compiles},
    nvcc = "{nvcc}",
    version = "{version}",
)

cc_library(
    name = "runtime",
    hdrs = glob(["include/**"]),
    includes = ["include"],
    linkopts = [
        "-L{libraries}",
        "-Wl,-rpath,{libraries}",
        "-Wl,--push-state,--as-needed,-lcublas,-lcublasLt,--pop-state",
        "-lcudart_static",
        "-ldl",
        "-lpthread",
        "-lrt",
    ],
)
"""

_MISSING = """\
load("@//tools/bazel:cuda.bzl", "missing_toolkit")

package(default_visibility = ["//visibility:public"])

[missing_toolkit(
    name = name,
    sentence = "{sentence}",
) for name in [
    "runtime",
    "toolkit",
]]
"""

# What plain C++ may include of the toolkit. Debian's package has its headers among all others of the system.
_HEADERS = [
    "builtin_types.h",
    "channel_descriptor.h",
    "common_functions.h",
    "crt",
    "cuComplex.h",
    "cublas.h",
    "cublasLt.h",
    "cublas_api.h",
    "cublas_v2.h",
    "cuda.h",
    "cuda_bf16.h",
    "cuda_bf16.hpp",
    "cuda_device_runtime_api.h",
    "cuda_fp16.h",
    "cuda_fp16.hpp",
    "cuda_profiler_api.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_atomic_functions.h",
    "device_atomic_functions.hpp",
    "device_launch_parameters.h",
    "device_types.h",
    "driver_functions.h",
    "driver_types.h",
    "host_config.h",
    "host_defines.h",
    "library_types.h",
    "math_constants.h",
    "nv",
    "sm_20_atomic_functions.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "surface_indirect_functions.h",
    "surface_types.h",
    "texture_indirect_functions.h",
    "texture_types.h",
    "vector_functions.h",
    "vector_functions.hpp",
    "vector_types.h",
]

def _cuda_toolkit_impl(repository_ctx):
    look = repository_ctx.path(Label("//tools/frontdoor:cuda_toolkit.sh"))
    found = {}
    for line in repository_ctx.execute(["bash", look]).stdout.splitlines():
        name, _, value = line.partition(" ")
        found[name] = value
    if "nvcc" not in found:
        sentence = found.get("missing", "the CUDA toolkit could not be looked for.")
        repository_ctx.file("BUILD", _MISSING.format(sentence = sentence.replace("\"", "'")))
        return
    for header in _HEADERS:
        for folder in ["", "cccl/"]:
            path = repository_ctx.path("%s/%s%s" % (found["include"], folder, header))
            if path.exists:
                repository_ctx.symlink(path, "include/" + header)
                break
    repository_ctx.file("BUILD", _WHOLE.format(
        cards = found["cards"].split(" ") if found["cards"] else [],
        compiles = found["compiles"].split(" "),
        libraries = found["libraries"],
        nvcc = found["nvcc"],
        version = found["version"],
    ))

cuda_toolkit = repository_rule(
    implementation = _cuda_toolkit_impl,
    configure = True,
    environ = [
        "CUDA_HOME",
        "CUDA_PATH",
        "PATH",
    ],
    local = True,
)
