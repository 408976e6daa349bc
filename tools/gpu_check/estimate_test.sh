#!/usr/bin/env bash
#
# docs/kernels_cuda.md has the estimates that tools/gpu_check/estimate prints.

set -euo pipefail
# shellcheck source=tests/harness/shell/checks.sh
source tests/harness/shell/checks.sh

STATUS=0 OUTPUT=$(cat docs/kernels_cuda.md)
while IFS= read -r line; do
  says "$line"
done < <(tools/gpu_check/estimate | grep .)

conclude "The page has the estimates."
