"""Headers in every language in which a program may include them."""

def header_test(name, src, deps, copts = []):
    """Compiles and runs one file four times: as CUDA and as a host's source, in C++17 and C++20.

    Args:
      name: makes <name>_cuda_17_test and so on.
      src: the file.
      deps: of each test.
      copts: of each test, beside -Werror and the language.
    """
    for language, defines in [("cuda", ["__CUDACC__"]), ("host", [])]:
        for standard in ["17", "20"]:
            native.cc_test(
                name = "%s_%s_%s_test" % (name, language, standard),
                size = "small",
                srcs = [src],
                copts = copts + [
                    "-Werror",
                    "-std=c++" + standard,
                ],
                local_defines = defines,
                deps = deps,
            )
