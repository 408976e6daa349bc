"""Bazel's own Java rules, under the name by which Bazel's tools load them.

Nothing here is written in Java; Bazel's embedded packages load these symbols all the same.
"""

java_binary = native.java_binary
java_import = native.java_import
java_library = native.java_library
java_runtime = native.java_runtime
java_toolchain = native.java_toolchain
