#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tenon-launch <compiler> <argument>...: runs this installation's tenon++ with the arguments.
# CMake calls it for the targets given to tenon_add_sycl.
here=$(dirname -- "$(readlink -f -- "$0")")
shift
exec "$here/../../../bin/tenon++" "$@"
