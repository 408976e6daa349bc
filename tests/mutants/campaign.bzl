"""The mutants of a lesson, tried with its tests.

    campaign(lesson = "00_first_kernel", parts = ["kernel", "further"])

needs, for each part P, tests/mutants/<lesson>/P.mutants, and has the list <lesson>/equivalent.txt if there is one.
It makes a test <lesson>_P of each, tagged `campaign`, and a test suite <lesson> of all.
"""

load("//tools/bazel:link_line.bzl", "link_line")

def campaign(lesson, parts):
    """See above.

    Args:
      lesson: the name of its folder.
      parts: as in lesson() of tools/bazel/lesson.bzl.
    """
    tests = []
    for part in parts:
        name = lesson + "_" + part
        link_line(
            name = name + "_link",
            testonly = True,
            headers = ["//solutions/%s:%s_check" % (lesson, "kernels" if part == "kernel" else part)],
            deps = [
                "//lessons/%s:%s_probes" % (lesson, part),
                "//lessons/%s:%s_test_cases" % (lesson, part),
                "//tests/harness/exercise:exercise_main",
            ],
        )
        source = "//solutions/%s:%s.cu" % (lesson, part)
        native.cc_test(
            name = name,
            size = "enormous",
            args = [
                lesson,
                part,
                "$(rootpath //simulator/tool:cuda)",
                "$(rootpath :%s_link)" % name,
            ],
            data = native.glob([lesson + "/equivalent.txt"]) + [
                "%s/%s.mutants" % (lesson, part),
                ":%s_link" % name,
                source,
                "//simulator/tool:cuda",
            ],
            tags = [
                "campaign",
                "cpu:2",
                "no-sanitizer",
            ],
            deps = [":campaign_main"],
        )
        tests.append(":" + name)
    native.test_suite(
        name = lesson,
        tests = tests,
    )
