"""The mutants of a lesson, tried with its tests.

    campaign(lesson = "00_first_kernel", parts = ["kernel", "further"])

needs, for each part P, tests/mutants/<lesson>/P.mutants, and has the list <lesson>/equivalent.txt if there is one.
It makes a test <lesson>_P of each, tagged `campaign`, and a test suite <lesson> of all. Of an exam, which is small
and taken once, the written mutants alone are tried.
"""

load("//tools/bazel:lesson.bzl", "kernels_name", "solution_side", "student_side")
load("//tools/bazel:link_line.bzl", "link_line")

def campaign(lesson, parts):
    """See above.

    Args:
      lesson: the name of its folder.
      parts: as in lesson() of tools/bazel/lesson.bzl.
    """
    tests = []
    is_exam = lesson.startswith("x")
    student = student_side(lesson)
    solution = solution_side(lesson)
    for part in parts:
        name = lesson + "_" + part
        link_line(
            name = name + "_link",
            testonly = True,
            headers = ["%s%s_check" % (solution, kernels_name(part))],
            deps = [
                "%s%s_probes" % (student, part),
                "%s%s_test_cases" % (student, part),
                "//tests/harness/exercise:exercise_main",
            ],
        )
        source = "%s%s.cu" % (solution, part)
        native.cc_test(
            name = name,
            size = "enormous",
            args = [
                lesson,
                part,
                "$(rootpath //simulator/tool:cuda)",
                "$(rootpath :%s_link)" % name,
            ] + (["--written"] if is_exam else []),
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
            deps = [":campaign_main"] + ([student + "exam"] if is_exam else []),
        )
        tests.append(":" + name)
    native.test_suite(
        name = lesson,
        tests = tests,
    )
