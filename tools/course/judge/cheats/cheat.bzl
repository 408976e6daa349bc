"""Submissions of lesson 00 that cheat."""

load("//tools/bazel:judge.bzl", "program_of_object", "student_object")
load("//tools/bazel:kernel.bzl", "kernel_library")
load("//tools/bazel:lesson.bzl", "STUB_FLAGS")

def cheat(name, looked_at):
    """A submission of lesson 00 with a cheat in it (tools/course/judge/cheats): the student's program <name>.

    Args:
      name: of the cheat; <name>_findings.txt is what the look says of it.
      looked_at: whether the program is linked as the look would have it; else as if nobody had looked.
    """
    lesson = "00_first_kernel"
    native.genrule(
        name = name + "_grafted",
        srcs = [
            "//solutions/%s:kernel.cu" % lesson,
            name + ".inc",
        ],
        outs = [name + "_submission.cu"],
        cmd = "$(location graft.sh) $(SRCS) > $@",
        tools = ["graft.sh"],
    )
    kernel_library(
        name = name + "_kernels",
        src = name + "_submission.cu",
        copts = STUB_FLAGS + ["-Wno-unused-result"],
        tags = ["manual"],
        deps = ["//lessons/%s:kernel_header" % lesson],
    )
    student_object(
        name = name + "_object",
        findings = name + "_findings.txt",
        kernels = name + "_kernels",
        lesson = lesson,
        part = "kernel",
        source = name + "_submission.cu",
    )
    program_of_object(
        name = name,
        lesson = lesson,
        object = ":%s_object" % name if looked_at else ":%s_kernels_check_object" % name,
        part = "kernel",
    )
