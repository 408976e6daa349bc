"""A lesson: what the student completes, with its tests; and its solution, with the same tests.

In lessons/NN_name/BUILD:

    lesson(parts = ["kernel", "further"], deps = [...], test_deps = [":reference"])

where a part P is P.cu (generated from the solution), P.h, P_test.cc. It makes :kernels (of kernel.cu), :further
(of further.cu), and a test P_test of each, tagged `exercise`, since it fails until the student has done it.

In solutions/NN_name/BUILD:

    solution(parts = ["kernel", "further"])

makes the same libraries of the completed sources, the tests P_test in the fast and in the check build, and
P_stub_test: what the student gets compiles, and fails each exercise.
"""

load("//tools/bazel:kernel.bzl", "kernel_library")

# What stands there for the student to use is unused until then.
_STUB_FLAGS = [
    "-Wno-unused-but-set-variable",
    "-Wno-unused-const-variable",
    "-Wno-unused-function",
    "-Wno-unused-parameter",
    "-Wno-unused-variable",
]

def _kernels(part):
    return "kernels" if part == "kernel" else part

def lesson(parts, deps = [], test_deps = [], worksheet = False):
    """The student's side.

    Args:
      parts: the CUDA sources, without .cu.
      deps: what the headers and kernels include.
      test_deps: what the tests include beside the harness.
      worksheet: whether there is a worksheet.h, with its worksheet_test.cc.
    """
    for part in parts:
        native.cc_library(
            name = part + "_header",
            hdrs = [part + ".h"],
            deps = deps,
        )
        kernel_library(
            name = _kernels(part),
            src = part + ".cu",
            copts = _STUB_FLAGS,
            deps = deps + [":" + part + "_header"],
        )
        native.cc_library(
            name = part + "_test_cases",
            testonly = True,
            srcs = [part + "_test.cc"],
            deps = test_deps + [
                ":" + part + "_header",
                "//tests/harness:as_reference",
                "//tests/harness/exercise",
            ],
            alwayslink = True,
        )
        _exercise_test(part + "_test", part, ":" + _kernels(part) + "_check", ":", ["exercise"])
    if worksheet:
        _worksheet("lessons", ["exercise"])

def solution(lesson, parts, deps = [], worksheet = False):
    """The instructor's side.

    Args:
      lesson: the name of the folder.
      parts: as in lesson().
      deps: what the kernels include.
      worksheet: as in lesson().
    """
    package = "//lessons/" + lesson + ":"
    for part in parts:
        headers = deps + [package + part + "_header"]
        kernel_library(
            name = _kernels(part),
            src = part + ".cu",
            deps = headers,
        )
        for build in ["fast", "check"]:
            name = part + "_test_" + build
            _exercise_test(name, part, ":" + _kernels(part) + "_" + build, package, [])

        native.genrule(
            name = part + "_stub_source",
            srcs = [part + ".cu"],
            outs = [part + "_stub.cu"],
            cmd = "$(location //tools/course:cut) $< > $@",
            tools = ["//tools/course:cut"],
        )
        kernel_library(
            name = part + "_stub",
            src = part + "_stub.cu",
            copts = _STUB_FLAGS,
            deps = headers,
        )
        _exercise_test(part + "_stub_test", part, ":" + part + "_stub_check", package, [], ["--all_must_fail"])
    if worksheet:
        _worksheet("solutions", [])

def _exercise_test(name, part, kernels, package, tags, args = []):
    native.cc_test(
        name = name,
        size = "medium",
        args = args,
        linkstatic = True,
        tags = tags,
        deps = [
            kernels,
            package + part + "_test_cases",
            "//kernels:implementations",
            "//tests/harness/exercise:exercise_main",
        ],
    )

def _worksheet(tree, tags):
    fail("no worksheets yet")
