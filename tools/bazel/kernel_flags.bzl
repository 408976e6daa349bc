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
    # A __shared__ variable of an inline function is then a weak symbol, which can be made an object
    # file's own (kernel.bzl); a unique one cannot.
    "-fno-gnu-unique",
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

# Functions that code of the check build calls. Its object files are made to call the simulator's own
# (simulator/check), so that no name of the simulator's stands in for a sanitizer's in the rest of a
# program.
_HOOKED_FUNCTIONS = [
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
    "__sanitizer_cov_trace_pc",
    "__tsan_atomic_signal_fence",
    "__tsan_atomic_thread_fence",
    "__tsan_func_entry",
    "__tsan_func_exit",
    "__tsan_init",
    "__tsan_read_range",
    "__tsan_vptr_read",
    "__tsan_vptr_update",
    "__tsan_write_range",
    "__ubsan_handle_divrem_overflow",
    "__ubsan_handle_divrem_overflow_abort",
    "__ubsan_handle_out_of_bounds",
    "__ubsan_handle_out_of_bounds_abort",
] + [
    "__tsan_%s%d" % (access, bytes)
    for access in [
        "read",
        "write",
        "unaligned_read",
        "unaligned_write",
        "volatile_read",
        "volatile_write",
        "unaligned_volatile_read",
        "unaligned_volatile_write",
    ]
    for bytes in [1, 2, 4, 8, 16]
] + [
    "__tsan_atomic%d_%s" % (bits, operation)
    for bits in [8, 16, 32, 64]
    for operation in [
        "load",
        "store",
        "exchange",
        "compare_exchange_strong",
        "compare_exchange_val",
        "compare_exchange_weak",
        "fetch_add",
        "fetch_and",
        "fetch_nand",
        "fetch_or",
        "fetch_sub",
        "fetch_xor",
    ]
]

# As objcopy's --redefine-sym takes them: "memcpy=simulator_memcpy".
HOOKS = [name + "=simulator_" + name.lstrip("_") for name in _HOOKED_FUNCTIONS]

# A stranger's source may be written to be compiled without end, or to take all memory (templates, #include of
# /dev/zero): gcc starts its parts by this program, within a minute and two gigabytes. Honest sources take seconds of
# the CPU, and a quarter of the memory.
WITHIN_LIMITS = ["-wrapper", "timeout,-k,5,400,prlimit,--cpu=60:65,--data=2147483648,--fsize=1073741824"]
