#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Eight threads that dlopen, launch and dlclose, on a cold and then on a warm cache:
# storm.sh <folder of the programs> <seconds>
set -eu
cd "$1"
TENON_CACHE=1
TENON_CACHE_DIR=$PWD/storm-cache
export TENON_CACHE TENON_CACHE_DIR
rm -rf storm-cache
for round in cold warm; do
  ./storm "$2" ./own[0-7].so ./plugin[123].so
done
