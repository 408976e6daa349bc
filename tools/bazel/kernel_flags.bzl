"""How CUDA sources are compiled for the simulator: by kernel.bzl, and by `./andrea cuda`."""

LANGUAGE_FLAGS = [
    "-x",
    "c++",
    "-D__CUDACC__",
    "-include",
    "cuda_runtime.h",
]

# Both builds round alike: no product is fused with a sum unless the kernel says so, and vectors change
# no order of sums.
KERNEL_FLAGS = [
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-sanitize=all",
    "-fno-stack-protector",
    # A large local array meets the guard page below the stack, instead of another thread's stack.
    "-fstack-clash-protection",
    "-U_FORTIFY_SOURCE",
    # Kernels keep their assertions, whatever the host's code does.
    "-UNDEBUG",
    "-Wno-unknown-pragmas",
    "-ftls-model=initial-exec",
]

FAST_FLAGS = [
    "-O3",
    "-g1",
    "-fno-trapping-math",
]

# GCC's instrumentation for threads without its library: the simulator has functions of the same names.
# Without -fno-tree-sra the access to a float4 would fall into four. The coverage is for the profiler, and
# costs the checker a fortieth of its time. Sections of their own give __shared__ variables room between
# them (simulator/tool/shared_gaps.h).
CHECK_FLAGS = [
    "-O1",
    "-g",
    "-fsanitize=thread",
    "-fsanitize-coverage=trace-pc",
    "--param=tsan-instrument-func-entry-exit=0",
    "--param=tsan-distinguish-volatile=1",
    "-fsanitize=bounds,integer-divide-by-zero",
    "-fno-tree-vectorize",
    "-fno-tree-sra",
    "-fdata-sections",
    "-fno-builtin-memcpy",
    "-fno-builtin-memset",
    "-fno-builtin-memmove",
    "-fno-omit-frame-pointer",
]

# What the check build calls by the simulator's names for it, simulator_memcpy and so on.
HOOKED_FUNCTIONS = [
    "memcpy",
    "memmove",
    "memset",
    "malloc",
    "free",
    # new, new[], delete and delete[], these without and with the size.
    "_Znwm",
    "_Znam",
    "_ZdlPv",
    "_ZdlPvm",
    "_ZdaPv",
    "_ZdaPvm",
]
