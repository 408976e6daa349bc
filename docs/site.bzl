"""The site of a package: its folder, and the test that looks through it."""

load("//tools/bazel:lesson.bzl", "LESSONS")
load("//tools/bazel:site.bzl", "doxygen_site")

# What the site shows of the lessons, and, for instructors, of their solutions.
LESSON_FILES = ["//lessons/" + lesson + ":site_files" for lesson in LESSONS]
SOLUTION_FILES = ["//solutions/" + lesson + ":site_files" for lesson in LESSONS]

# Whose headers are the reference's topics, with all that they use.
_DOCUMENTED = [
    "//kernels:implementations",
    "//lessons:reductions",
    "//lessons:rows",
    "//lessons:worksheet",
    "//simulator/tool:cuda",
    "//simulator:libandrea_simulator.so",
    "//tests/harness:as_reference",
    "//tests/harness:close",
    "//tests/harness:document",
    "//tests/harness:finite_difference",
    "//tests/harness:model_inputs",
    "//tests/harness:random_inputs",
    "//tests/harness:references",
    "//tests/harness:size_limit",
    "//tests/harness/exercise",
    "//tests/harness/exercise:any_order",
    "//tests/harness/exercise:exercise_main",
    "//tests/harness/exercise:question",
    "//tests/harness/exercise:small_model",
    "//tests/harness/exercise:training_step",
    "//trainer:andrea",
] + [
    "//lessons/" + lesson + ":" + part + "_header"
    for lesson in LESSONS
    for part in [
        "further",
        "kernel",
    ]
]

def site(pages, instructor = False):
    """Makes :site, and site_test.

    Args:
      pages: Markdown, figures, and what pages show.
      instructor: with what only instructors have.
    """
    doxygen_site(
        name = "site",
        testonly = True,
        documented = _DOCUMENTED,
        instructor = instructor,
        pages = pages,
    )
    native.cc_test(
        name = "site_test",
        size = "medium",
        srcs = ["//docs:site_test.cc"],
        data = [":site"],
        tags = ["no-sanitizer"],  # Doxygen starts the filter three hundred times; it has tests of its own
        local_defines = [
            "SITE=\\\"%s/site\\\"" % native.package_name(),
            "INSTRUCTOR=" + ("true" if instructor else "false"),
        ],
        deps = [
            "//tools/site:html_check",
            "@googletest",
        ],
    )
