"""How the parts of the shared library are compiled."""

def simulator_library(name, **kwargs):
    """A cc_library of which all goes into libandrea_simulator.so, and of which alone no library is made."""
    kwargs.setdefault("linkstatic", True)
    native.cc_library(
        name = name,
        alwayslink = True,
        # Thread-local variables are found by one load, and calls inside the library by no table.
        copts = [
            "-O3",
            "-fno-semantic-interposition",
            "-fno-stack-protector",
            "-ftls-model=initial-exec",
            "-Wno-restrict",  # GCC 12 sees faults in sums of strings
        ],
        **kwargs
    )
