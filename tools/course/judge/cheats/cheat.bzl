"""Submissions of lesson 00 that cheat."""

load("//tools/bazel:kernel.bzl", "kernel_library")
load("//tools/bazel:lesson.bzl", "STUB_FLAGS")
load("//tools/bazel:look.bzl", "looked_at_object")

def cheat(name, looked_at):
    """A submission of lesson 00 with a cheat in it (tools/course/judge/cheats): the student's program <name>.

    Args:
      name: of the cheat; <name>_findings.txt is what the look says of it.
      looked_at: whether the program is linked as the look would have it; else as if nobody had looked.
    """
    lesson = "00_first_kernel"
    package = "//lessons/" + lesson + ":"
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
        deps = [package + "kernel_header"],
    )
    looked_at_object(
        name = name + "_object",
        src = name + "_submission.cu",
        findings = name + "_findings.txt",
        names = "//solutions/%s:kernel_names.txt" % lesson,
        object = ":%s_kernels_check_object" % name,
        deps = [
            package + "kernel_header",
            "//simulator",
        ],
    )
    native.cc_library(
        name = name + "_functions",
        srcs = [":%s_object" % name if looked_at else ":%s_kernels_check_object" % name],
        alwayslink = True,
        deps = ["//simulator"],
    )
    native.cc_binary(
        name = name,
        deps = [
            ":" + name + "_functions",
            "//solutions/%s:kernel_dispatch" % lesson,
            "//tools/course/judge:student_main",
        ],
    )
