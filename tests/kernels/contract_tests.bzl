"""The tests of the contract's operations, for any set of kernels that implements them."""

load("//tools/bazel:kernel.bzl", "kernel_test")

_OPTIMISER = ["//lessons/07_full_model:optimiser_reference"]
_MODEL = [
    "//kernels:parameter_layout",
    "//tests/harness:model_inputs",
    "//tests/kernels:model_cases",
]

# The operations, and what their tests include beside what all of them do.
OPERATIONS = {
    "activation": [],
    "adamw": _OPTIMISER,
    "attention": [],
    "block": _MODEL,
    "cross_entropy": [],
    "decode": _MODEL,
    "dot_similarity": [],
    "embedding": [],
    "global_norm": _OPTIMISER,
    "layer_norm": [],
    "linear": [],
    "residual": [],
    "training_pass": _MODEL,
    "transformer": _MODEL,
}

def _deps(operation):
    return OPERATIONS[operation] + [
        "//kernels:" + operation,
        "//tests/harness:as_reference",
        "//tests/harness:close",
        "//tests/harness:guarded_tensor",
        "//tests/harness:random_inputs",
        "//tests/harness:references",
        "@googletest",
    ]

def contract_test(operation):
    """<operation>_test.cc of this package, with the implementation that //kernels:use_<operation> names.

    Args:
      operation: one of OPERATIONS.
    """
    native.exports_files([operation + "_test.cc"])
    native.cc_test(
        name = operation + "_test",
        size = "small",
        srcs = [operation + "_test.cc"],
        linkstatic = True,
        deps = _deps(operation) + ["//kernels:implementations"],
    )

def contract_test_of(operation, kernels, deps = [], size = "small"):
    """The same with kernels of one set, in both builds of the simulator.

    Args:
      operation: one of OPERATIONS.
      kernels: names of kernel_library targets: the operation, and what it is made of.
      deps: implementations that are no kernels, as of //kernels/composed.
      size: of each test.
    """
    kernel_test(
        name = operation + "_test",
        size = size,
        srcs = ["//tests/kernels:%s_test.cc" % operation],
        kernels = kernels,
        tags = ["no-sanitizer"],  # kernels are compiled without
        deps = _deps(operation) + deps,
    )
