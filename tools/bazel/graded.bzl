"""Students' files, judged as part of a build: compiled, run and judged side by side, here or by remote execution,
each result kept until something that it depends on changes.

    graded(
        lesson = "00_first_kernel",
        parts = ["kernel", "worksheet"],
    )

in the package that has the student's kernel.cu and worksheet.h makes, for each part P, the target P, whose output
P.json is what the judge says of it: GoogleTest's report. `./andrea grade` writes such packages, outside of this
repository. A wrong answer is a result like a right one; a target fails only where the student's file does not compile,
or where nothing could be judged.
"""

load("//tools/bazel:judge.bzl", "student_program")

def _judgement_impl(ctx):
    result = ctx.actions.declare_file(ctx.label.name + ".json")
    launcher = [ctx.executable._confine.path, "--seconds", str(ctx.attr.seconds), "--library", ctx.file._simulator.path]
    if not ctx.attr.confined:
        launcher.append("--unconfined")
    ctx.actions.run(
        executable = ctx.executable._judge_once,
        arguments = [
            result.path,
            " ".join(launcher),
            ctx.executable.judge.path,
            "--student",
            ctx.executable.student.path,
            # A busy machine is slower than the CPU's seconds tell.
            "--seconds-a-call",
            str(3 * ctx.attr.seconds),
            "--seconds-an-exercise",
            str(6 * ctx.attr.seconds),
            "--seconds",
            str(30 * ctx.attr.seconds),
        ],
        inputs = [ctx.file._simulator],
        tools = [ctx.executable.judge, ctx.executable.student, ctx.executable._confine],
        outputs = [result],
        mnemonic = "Judge",
        progress_message = "Judging %s" % ctx.label,
        # The walls are put up by confine; one sandbox within another is more than some kernels allow.
        execution_requirements = {"no-sandbox": "1"},
    )
    remarks = ctx.attr.object[OutputGroupInfo].remarks if ctx.attr.object else depset()
    return [DefaultInfo(files = depset([result], transitive = [remarks]), runfiles = ctx.runfiles([result]))]

_judgement = rule(
    implementation = _judgement_impl,
    attrs = {
        "confined": attr.bool(default = True),
        "judge": attr.label(cfg = "target", executable = True),
        "object": attr.label(doc = "The looked_at_object of the student's, for its remarks."),
        "seconds": attr.int(default = 20),
        "student": attr.label(cfg = "target", executable = True),
        "_confine": attr.label(
            cfg = "target",
            default = "//tools/course/grader/confine",
            executable = True,
        ),
        "_judge_once": attr.label(
            cfg = "target",
            default = "//tools/course/grader:judge_once",
            executable = True,
        ),
        "_simulator": attr.label(
            allow_single_file = True,
            default = "//simulator:libandrea_simulator.so",
        ),
    },
)

def graded_file(name, lesson, part, source, seconds = 20, confined = True):
    """One file of one student: <name>, whose output is <name>.json.

    Args:
      name: see above.
      lesson: the name of the folder.
      part: kernel, further or worksheet.
      source: the student's file.
      seconds: of the CPU for each run of the student's program.
      confined: whether the student's program runs behind walls (tools/course/grader/confine), or within limits only.
    """
    student_program(
        name = name + "_student",
        lesson = lesson,
        part = part,
        source = source,
        testonly = True,
    )
    _judgement(
        name = name,
        testonly = True,
        confined = confined,
        judge = "//solutions/%s:%s_judge" % (lesson, part),
        object = None if part == "worksheet" else ":" + name + "_student_object",
        seconds = seconds,
        student = ":" + name + "_student",
    )

def graded(lesson, parts, **kwargs):
    """See above.

    Args:
      lesson: the name of the folder.
      parts: of kernel, further, worksheet; the student's files have their usual names.
      **kwargs: as in graded_file().
    """
    for part in parts:
        graded_file(
            name = part,
            lesson = lesson,
            part = part,
            source = "worksheet.h" if part == "worksheet" else part + ".cu",
            **kwargs
        )
