#!/bin/sh
# Runs a command with one variant of the kernels. Status 77, and the reason, where there is none.
# Usage: forced.sh TEST_KERNELS NAME COMMAND [ARGUMENT...]    of a build with TENSORPAD_KERNELS_ENV
set -eu
test_kernels=$1
TENSORPAD_KERNELS=$2
export TENSORPAD_KERNELS
shift 2
"$test_kernels" --forced "$TENSORPAD_KERNELS" || exit $?
exec "$@"
