"""How the `cpu` kernel set is compiled."""

# Errors of mathematics are told by NaN, not by errno or a trap: without these two flags no loop with
# a square root or a comparison vectorises. Neither changes a result; -ffast-math would.
_COPTS = [
    "-O3",
    "-fopenmp",
    "-fno-math-errno",
    "-fno-trapping-math",
]

def cpu_library(name, **kwargs):
    """A cc_library for the machine at hand, or under --config=portable for any with AVX2."""
    native.cc_library(
        name = name,
        alwayslink = True,
        copts = _COPTS + select({
            "//kernels/cpu:portable": ["-march=x86-64-v3"],
            "//conditions:default": ["-march=native"],
        }),
        linkopts = ["-fopenmp"],
        visibility = ["//visibility:public"],
        **kwargs
    )
