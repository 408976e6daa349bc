#!/usr/bin/env bash
#
# The library must define no function of a sanitizer's: a program built with -fsanitize=undefined, say,
# would call it in place of the sanitizer's own, and its faults would go unreported.

set -euo pipefail

names=$(nm -D --defined-only simulator/libandrea_simulator.so)
if ! grep -q ' simulator_ubsan_handle_out_of_bounds$' <<<"$names"; then
  echo "The hooks of the check build are not among the library's names: what are they called now?"
  exit 1
fi
if grep -E ' __(asan|lsan|sanitizer|tsan|ubsan)_' <<<"$names"; then
  echo "These are a sanitizer's names. HOOKS in tools/bazel/kernel_flags.bzl has the simulator's."
  exit 1
fi
