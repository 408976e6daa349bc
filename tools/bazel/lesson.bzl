"""A lesson: what the student completes, with its tests; and its solution, with the same tests.

In lessons/NN_name/BUILD:

    lesson(parts = ["kernel", "further"], deps = [...], test_deps = [":reference"])

where a part P is P.cu (generated from the solution), P.h, P_test.cc, or several sources of tests in its place
(test_srcs). It makes :kernels (of kernel.cu), :further (of further.cu), and a test P_test of each, tagged
`exercise`, since it fails until the student has done it.

In solutions/NN_name/BUILD:

    solution(parts = ["kernel", "further"])

makes the same libraries of the completed sources, the tests P_test in the fast and in the check build, and
P_stub_test: what the student gets compiles, and fails each exercise.

A worksheet.h is treated alike: worksheet_test, worksheet_stub_test. In both, together_test(lesson)
tries the kernels of the lessons so far together.

An exam, exam/xNN_name with its exam.json and messages.json, is a lesson of one part:

    exam(deps = [...], test_deps = [":reference"])

and its solution, in exam/solutions/xNN_name, an exam_solution() (judge.bzl).
"""

load("//tools/bazel:kernel.bzl", "kernel_library", "left_out_on_a_card")

LESSONS = [
    "00_first_kernel",
    "01_embedding_lookup",
    "02_dot_product_similarity",
    "03_attention",
    "04_layer_norm",
    "05_gelu_mlp",
    "06_residual_block",
    "07_full_model",
]

# What stands there for the student to use is unused until then.
STUB_FLAGS = [
    "-Wno-unused-but-set-variable",
    "-Wno-unused-const-variable",
    "-Wno-unused-function",
    "-Wno-unused-parameter",
    "-Wno-unused-variable",
]

# The contract's operations that each lesson implements, and those of them that the small model
# (tests/harness/exercise/small_model.h) takes from kernels/composed while they are not the student's.
OPERATIONS_OF = {
    "01_embedding_lookup": ["embedding"],
    "02_dot_product_similarity": ["dot_similarity"],
    "03_attention": ["attention"],
    "04_layer_norm": ["layer_norm"],
    "05_gelu_mlp": ["activation", "linear"],
    "06_residual_block": ["block", "residual"],
    "07_full_model": ["adamw", "cross_entropy", "global_norm", "transformer"],
}
_COMPOSED = ["block", "transformer"]

# Kernels are compiled without sanitizers, whatever the rest is: the checker watches them. What the tests
# add to them is tested with the harness.
_OF_SOLUTIONS = ["no-sanitizer"]

def kernels_name(part):
    """The library of a part.

    Args:
      part: kernel or further.
    """
    return "kernels" if part == "kernel" else part

def student_side(lesson):
    """Begins the labels of what a student gets of a lesson, or of an exam, whose names begin with x.

    Args:
      lesson: the name of the folder.
    """
    return "//%s/%s:" % ("exam" if lesson.startswith("x") else "lessons", lesson)

def solution_side(lesson):
    """The same of its solution.

    Args:
      lesson: the name of the folder.
    """
    return "//%s/%s:" % ("exam/solutions" if lesson.startswith("x") else "solutions", lesson)

def _is_operation(label):
    return label.startswith("//kernels/cpu:") or label.startswith("//kernels/composed:")

def lesson(
        parts,
        deps = [],
        test_deps = [],
        part_test_deps = {},
        probes = {},
        test_srcs = {},
        worksheet = False):
    """The student's side.

    Args:
      parts: the CUDA sources, without .cu.
      deps: what the headers and kernels include.
      test_deps: what the tests use beside the harness: references, and the cpu set's operations, as
        //kernels/cpu:linear, where they need them.
      part_test_deps: what the tests of one part use beside these, as {"further": [...]}: operations
        that another part implements itself.
      probes: by part, names of sources without .cc, each with a header: functions of a test that must run
        where the student's do, since they hand over what only exists there, as a stream or a graph.
      test_srcs: the sources of one part's tests, as {"kernel": ["forward_test.cc", "backward_test.cc"]},
        where P_test.cc would be too long. The tests run in this order.
      worksheet: whether there is a worksheet.h, with its worksheet_test.cc, which includes the file that
        the macro WORKSHEET names.
    """
    native.exports_files(["hints.md", "messages.json"])
    native.exports_files([part + ".h" for part in parts])
    native.exports_files([probe + ".h" for part in parts for probe in probes.get(part, [])])
    _site_files()
    for part in parts:
        native.cc_library(
            name = part + "_header",
            hdrs = [part + ".h"],
            deps = deps,
        )
        native.cc_library(
            name = part + "_probe_headers",
            hdrs = [probe + ".h" for probe in probes.get(part, [])],
            deps = [":" + part + "_header"],
        )
        native.cc_library(
            name = part + "_probes",
            srcs = [probe + ".cc" for probe in probes.get(part, [])],
            linkstatic = True,  # what it calls is the program's
            deps = [
                ":" + part + "_probe_headers",
                "//kernels:cuda_check",
                "//kernels:device_buffer",
            ],
            alwayslink = True,
        )

        # The operations of other lessons that the part, or its test, calls.
        native.cc_library(
            name = part + "_others",
            deps = [label for label in test_deps + part_test_deps.get(part, []) if _is_operation(label)],
        )
        kernel_library(
            name = kernels_name(part),
            src = part + ".cu",
            copts = STUB_FLAGS,
            deps = deps + [":" + part + "_header"],
        )
        native.cc_library(
            name = part + "_test_cases",
            testonly = True,
            srcs = test_srcs.get(part, [part + "_test.cc"]),
            deps = test_deps + part_test_deps.get(part, []) + [
                ":" + part + "_header",
                ":" + part + "_probe_headers",
                "//tests/harness:as_reference",
                "//tests/harness/exercise",
            ],
            alwayslink = True,
        )
        _exercise_test(part + "_test", part, part + ".cu", ":" + kernels_name(part) + "_check", ":", ["exercise"])
    if worksheet:
        native.exports_files(["worksheet_test.cc"])
        _worksheet("lessons", native.package_name().split("/")[1], ":", ["exercise"])

def exam(deps = [], test_deps = []):
    """The student's side of an exam, and :exam, which brings its exercises and messages to the tests.

    Args:
      deps: what the header and the kernel include.
      test_deps: as in lesson().
    """
    native.exports_files(["exam.json"])
    native.genrule(
        name = "exam_source",
        srcs = [
            "exam.json",
            "messages.json",
        ],
        outs = ["exam.cc"],
        cmd = "(echo '#include \"tests/harness/exercise/exam.h\"'; echo 'static const andrea::Exam exam(';" +
              "echo 'R\"json('; cat $(location exam.json); echo ')json\",';" +
              "echo 'R\"json('; cat $(location messages.json); echo ')json\");') > $@",
    )
    native.cc_library(
        name = "exam",
        testonly = True,
        srcs = ["exam.cc"],
        deps = ["//tests/harness/exercise:exam"],
        alwayslink = True,
    )
    lesson(
        parts = ["kernel"],
        deps = deps,
        test_deps = test_deps + [":exam"],
    )

def solution(lesson, parts, deps = [], worksheet = False):
    """The instructor's side.

    Args:
      lesson: the name of the folder.
      parts: as in lesson().
      deps: what the kernels include.
      worksheet: as in lesson().
    """
    package = student_side(lesson)
    _site_files()
    native.exports_files([part + ".cu" for part in parts])  # whose mutants are tried
    if worksheet:
        native.exports_files(["worksheet.h"])
    for part in parts:
        headers = deps + [package + part + "_header"]
        kernel_library(
            name = kernels_name(part),
            src = part + ".cu",
            deps = headers,
        )
        for build in ["fast", "check"]:
            name = part + "_test_" + build
            _exercise_test(
                name,
                part,
                part + ".cu",
                ":" + kernels_name(part) + "_" + build,
                package,
                _OF_SOLUTIONS,
                target_compatible_with = left_out_on_a_card(build),
            )

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
            copts = STUB_FLAGS,
            deps = headers,
        )
        _exercise_test(
            part + "_stub_test",
            part,
            part + "_stub.cu",
            ":" + part + "_stub_check",
            package,
            _OF_SOLUTIONS,
            ["--all_must_fail"],
        )
    if worksheet:
        _worksheet("solutions", lesson, package, [])

def _site_files():
    """What the site shows of a lesson or a solution."""
    native.filegroup(
        name = "site_files",
        srcs = native.glob([
            "*.cu",
            "*.h",
            "*.md",
            "figures/*.svg",
        ]),
        visibility = ["//docs:__subpackages__"],
    )

def kernels_through(lesson, tree, build):
    """All operations of a model: those up to a lesson from its tree, the others from the cpu set.

    Args:
      lesson: the name of the folder; empty: all are the cpu set's.
      tree: lessons or solutions.
      build: fast or check.
    """
    kernels = []
    for each, operations in OPERATIONS_OF.items():
        if each <= lesson:
            kernels.append("//%s/%s:kernels_%s" % (tree, each, build))
        else:
            kernels += [
                "//kernels/%s:%s" % ("composed" if operation in _COMPOSED else "cpu", operation)
                for operation in operations
            ]
    return kernels

def together_test(lesson):
    """lessons/<lesson>/together_test.cc, with the kernels of this and all earlier lessons of this tree.

    Args:
      lesson: the name of the folder. The operations of later lessons are the cpu set's.
    """
    tree = native.package_name().split("/")[0]
    if tree == "lessons":
        native.exports_files(["together_test.cc"])
    native.cc_test(
        name = "together_test",
        size = "small",
        srcs = ["//lessons/" + lesson + ":together_test.cc"],
        linkstatic = True,
        tags = ["exercise"] if tree == "lessons" else _OF_SOLUTIONS,
        deps = kernels_through(lesson, tree, "check") + [
            "//tests/harness/exercise:exercise_main",
            "//tests/harness/exercise:small_model",
        ],
    )

def _exercise_test(name, part, source, kernels, package, tags, args = [], **kwargs):
    native.cc_test(
        name = name,
        size = "small",
        args = args,
        data = [source],  # a report of the simulator shows its lines
        linkstatic = True,
        tags = tags,
        deps = [
            kernels,
            package + part + "_probes",
            package + part + "_test_cases",
            "//tests/harness/exercise:exercise_main",
        ],
        **kwargs
    )

def _worksheet(tree, lesson, package, tags):
    """worksheet.h of this package, tried by the questions of the lesson's worksheet_test.cc."""
    headers = {"worksheet_test": "worksheet.h"}
    if tree == "solutions":
        native.genrule(
            name = "worksheet_stub_source",
            srcs = ["worksheet.h"],
            outs = ["worksheet_stub.h"],
            cmd = "$(location //tools/course:cut) $< > $@",
            tools = ["//tools/course:cut"],
        )
        headers["worksheet_stub_test"] = "worksheet_stub.h"
    for name, header in headers.items():
        native.cc_test(
            name = name,
            size = "small",
            srcs = [
                header,
                package + "worksheet_test.cc",
            ],
            args = ["--all_must_fail"] if name == "worksheet_stub_test" else [],
            copts = STUB_FLAGS,
            linkstatic = True,
            local_defines = ["WORKSHEET=\\\"%s/%s/%s\\\"" % (tree, lesson, header)],
            tags = tags,
            deps = [
                "//lessons:worksheet",
                "//tests/harness/exercise:exercise_main",
                "//tests/harness/exercise:question",
            ],
        )
