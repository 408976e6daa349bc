"""Two programs: the judge, which holds the reference, and the student's, which holds the student's functions.

A lesson's own tests call the student's functions in a process that holds the reference as well, which is right for
daily work and worthless for a grade. A judge is the same P_test.cc, linked with *proxies* of the functions. A proxy
writes the call into a file (which function, its arguments, the buffers that they point into), runs the student's
program, which does that one call in a process of its own and writes what it has led to into another file, and brings
the buffers back. All else - inputs from a fresh seed, guard zones, comparisons, mistakes, requirements - is the
judge's. The student's program is linked with the student's object, a table of its functions by name, a fixed main
and the operations of other lessons that the part calls; with no reference, mistake or expected value. Before that the
source is looked at, and then the object (tools/course/judge/look_first_main.cc and look_main.cc): what no exercise
needs fails the build of the program, with a sentence on standard error. Of a worksheet the text alone is looked at:
nothing that its program tells is believed but its answers.

    judge(lesson = "02_dot_product_similarity", parts = ["kernel", "further"])

in solutions/<lesson>/BUILD (for an exam, which has one part, exam_solution() in exam/solutions/<exam>/BUILD) makes, for each part P and for `worksheet`, the program :P_judge, once for all students.

    student_program(name, lesson, part, source)

makes of a source (a .cu file; for part "worksheet" a header) the student's program <name>. It is judged by

    P_judge --student <name> [--launcher "PATH ARGUMENT..."]
            [--seconds-a-call N] [--seconds-an-exercise N] [--seconds N]

(tools/course/judge/judge_main.cc). The launcher is a program of the grader's that confines what it starts; it is run
as `PATH ARGUMENT... -- STUDENT INPUT_FILE OUTPUT_FILE`, must let the student's program read the first file and make
the second, which lies beside it in a folder made for this call, and must end with its status (128 + n for signal n).
The folder lies in $TEST_TMPDIR, or in /tmp, and only the judge's user can enter it: a launcher that changes the user
makes the folder that user's. Source lines in the simulator's reports need the source at its path below the folder
that the judge is run in. No variable of the judge's reaches the launcher but PATH and SIMULATOR_WORKERS.
Results are GoogleTest's XML at $XML_OUTPUT_FILE: a testcase an exercise, with the properties `exercise` and, for one
that fails, `mistake`: a name from the lesson's messages.json, "report" for a fault that the simulator told,
"unsolved", "no_answer" for a call that came to none, or absent. Points are the grader's to give, from course.json:
an exercise that is not in the XML has none.
"""

load("//tools/bazel:kernel.bzl", "kernel_library")
load("//tools/bazel:kernel_flags.bzl", "WITHIN_LIMITS")
load("//tools/bazel:lesson.bzl", "OPERATIONS_OF", "STUB_FLAGS", "kernels_name", "solution", "solution_side", "student_side")
load("//tools/bazel:look.bzl", "looked_at_object", "looked_at_source")

_TOOL = "//tools/course/judge:"

# Lessons with exercises that are to be solved by cuBLAS.
_WITH_CUBLAS = ["05_gelu_mlp"]

def _generated(name, out, what, headers, options = []):
    # The program stands among the sources, since as a tool it would be compiled a second time.
    program = _TOOL + "proxies"
    words = [what, "--out $@"] + options + ["$(location %s)" % header for header in headers]
    native.genrule(
        name = name,
        srcs = headers + [program],
        outs = [out],
        cmd = "$(location %s) %s" % (program, " ".join(words)),
        # While a class is graded, sandboxes do not show the solutions (tools/course/grader/workspace.cc).
        tags = ["no-sandbox"],
    )

def judge(lesson, parts, worksheet = True, headers = {}, without = {}, crossings = None, tags = []):
    """The judges of a lesson, and the students' side of them but for the students' own sources.

    Args:
      lesson: the name of the folder, of a lesson or an exam.
      parts: as in solution() of lesson.bzl.
      worksheet: likewise.
      headers: by part, headers of further functions that run in the student's program (`probes` in lesson.bzl).
      without: by part, full names of functions that the tests do not call, so that no proxy is made.
      crossings: the name of a header of tools/course/judge that says how some of its types cross, without ".h".
      tags: of the tests that each judge finds all of the solution right and nothing of the stub.
    """
    package = student_side(lesson)
    extra = [_TOOL + crossings] if crossings else []
    for part in parts:
        operations = OPERATIONS_OF.get(lesson, []) if part == "kernel" else []
        files = [package + part + ".h"] + headers.get(part, []) + ["//kernels:%s.h" % name for name in operations]
        options = ["--without " + name for name in without.get(part, [])]
        if crossings:
            options.append("--include tools/course/judge/%s.h" % crossings)
        for side in ["proxies", "dispatch"]:
            name = part + "_" + side
            _generated(name + "_source", name + ".cc", side, files, options)
        _generated(part + "_names", part + "_names.txt", "names", files)
        deps = extra + ["//kernels:" + name for name in operations] + [
            package + part + "_header",
            package + part + "_probe_headers",
        ]
        native.cc_library(
            name = part + "_dispatch",
            srcs = [part + "_dispatch.cc"],
            visibility = ["//visibility:public"],
            deps = deps + [_TOOL + "dispatch"],
            alwayslink = True,
        )
        native.cc_binary(
            name = part + "_judge",
            testonly = True,
            srcs = [part + "_proxies.cc"],
            visibility = ["//visibility:public"],
            deps = deps + [
                package + part + "_test_cases",
                _TOOL + "judge_main",
                _TOOL + "proxy",
            ],
        )
        _judged_solution(lesson, part, part + ".cu", part + "_stub.cu", kernels_name(part), part + "_stub", tags)
    if worksheet:
        _judged_solution(lesson, "worksheet", "worksheet.h", "worksheet_stub.h", None, None, tags)
        _generated("worksheet_proxies", "worksheet_proxies.h", "worksheet-proxies", ["worksheet.h"])
        native.cc_binary(
            name = "worksheet_judge",
            testonly = True,
            srcs = [
                "worksheet_proxies.h",
                package + "worksheet_test.cc",
            ],
            local_defines = ["WORKSHEET=\\\"solutions/%s/worksheet_proxies.h\\\"" % lesson],
            visibility = ["//visibility:public"],
            deps = [
                "//lessons:worksheet",
                "//tests/harness/exercise:question",
                _TOOL + "judge_main",
                _TOOL + "proxy",
            ],
        )

def exam_solution(deps):
    """The instructor's side of an exam, in exam/solutions/<exam>: its solution, and its judge.

    Args:
      deps: what the kernel includes.
    """
    exam = native.package_name().split("/")[-1]
    solution(
        lesson = exam,
        parts = ["kernel"],
        deps = deps,
    )
    judge(
        lesson = exam,
        parts = ["kernel"],
        tags = ["campaign"],
        worksheet = False,
    )

def _judged_solution(lesson, part, source, stub, library, stub_library, tags):
    for kind, file, kernels in [("", source, library), ("_stub", stub, stub_library)]:
        name = part + kind
        student_program(name + "_student", lesson, part, file, kernels)
        judged_test(
            name = name + "_judge_test",
            all_must_fail = kind != "",
            judge = ":" + part + "_judge",
            student = ":" + name + "_student",
            tags = tags,
        )

def student_program(name, lesson, part, source, kernels = None, **kwargs):
    """The student's program of one source, which is looked at before it is linked (look.bzl).

    Args:
      name: of the program.
      lesson: the name of the folder, of a lesson or an exam.
      part: kernel, further or worksheet.
      source: the student's file: P.cu, or worksheet.h.
      kernels: a kernel_library of the source, where there is one already.
      **kwargs: visibility, tags.
    """
    if part == "worksheet":
        _worksheet_program(name, lesson, source, **kwargs)
        return
    first = []
    if not kernels:
        kernels = name + "_kernels"
        first = [name + "_source"]
        header = student_side(lesson) + part + "_header"
        looked_at_source(
            name = name + "_source",
            src = source,
            tags = ["manual"],
            deps = [header],
        )
        kernel_library(
            name = kernels,
            src = source,
            copts = STUB_FLAGS + WITHIN_LIMITS,
            tags = ["manual"],
            deps = [header] + first,
        )
    student_object(name + "_object", lesson, part, source, kernels, first, tags = kwargs.get("tags"))
    program_of_object(name, lesson, part, ":" + name + "_object", **kwargs)

def student_object(name, lesson, part, source, kernels, first = [], **kwargs):
    """The object of a student's source, looked at.

    Args:
      name: see above.
      lesson: see above.
      part: kernel or further.
      source: the student's file, P.cu.
      kernels: a kernel_library of it.
      first: looked_at_source targets, which the preprocessor is to wait for.
      **kwargs: tags, findings (look.bzl).
    """
    looked_at_object(
        name = name,
        src = source,
        cublas = lesson in _WITH_CUBLAS,
        names = solution_side(lesson) + part + "_names.txt",
        object = ":" + kernels + "_check_object",
        deps = first + [
            student_side(lesson) + part + "_header",
            "//simulator",
        ],
        **kwargs
    )

def program_of_object(name, lesson, part, object, **kwargs):
    """The student's program of an object, looked at or not.

    Args:
      name: of the program.
      lesson: see above.
      part: kernel or further.
      object: the student's.
      **kwargs: as in student_program().
    """
    package = student_side(lesson)
    native.cc_library(
        name = name + "_functions",
        srcs = [object],
        alwayslink = True,
        tags = kwargs.get("tags"),
        deps = ["//simulator"],
    )
    native.cc_binary(
        name = name,
        deps = [
            ":" + name + "_functions",
            package + part + "_others",
            package + part + "_probes",
            solution_side(lesson) + part + "_dispatch",
            _TOOL + "student_main",
        ],
        **kwargs
    )

def _worksheet_program(name, lesson, source, **kwargs):
    looked_at_source(
        name = name + "_source",
        src = source,
        worksheet = True,
        deps = ["//lessons:worksheet"],
        **kwargs
    )

    # One name for whatever file it is, since the table includes it.
    header = name + "_worksheet.h"
    native.genrule(
        name = name + "_header",
        srcs = [source],
        outs = [header],
        cmd = "cp $< $@",
    )
    _generated(
        name + "_dispatch",
        name + "_dispatch.cc",
        "worksheet-dispatch",
        ["//solutions/%s:worksheet.h" % lesson],
        ["--student %s/%s" % (native.package_name(), header)],
    )
    native.cc_binary(
        name = name,
        srcs = [
            header,
            name + "_dispatch.cc",
        ],
        copts = STUB_FLAGS + WITHIN_LIMITS,
        deps = [
            "//lessons:worksheet",
            name + "_source",
            _TOOL + "dispatch",
            _TOOL + "student_main",
        ],
        **kwargs
    )

def judged_test(name, student, judge, all_must_fail = False, tags = []):
    """A test that the judge finds all exercises of a student's program right, or none.

    Args:
      name: of the test.
      student: a student's program.
      judge: a judge.
      all_must_fail: whether none is to be right.
      tags: of the test.
    """
    native.sh_test(
        name = name,
        size = "medium",
        srcs = [_TOOL + "judged_test.sh"],
        args = [
            "$(rootpath %s)" % judge,
            "--student $(rootpath %s)" % student,
        ] + (["--all_must_fail"] if all_must_fail else []),
        data = [
            judge,
            student,
        ],
        # The student's object is the checker's to watch, and takes seconds of its own with sanitizers.
        tags = tags + ["no-sanitizer"],
    )
