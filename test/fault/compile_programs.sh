#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles what the fault tests run: compile_programs.sh <build> <folder of the results> [<option>...]
set -eu
build=$1
out=$2
shift 2
inputs=$(dirname -- "$0")/Inputs
TENON_CACHE=0
export TENON_CACHE
tenonxx() { "$build/bin/tenon++" -fsycl -O2 "$@"; }
mkdir -p "$out"
tenonxx "$@" "$inputs/library.cpp" -fPIC -shared -o "$out/liblibrary.so"
tenonxx "$@" -fsycl-device-code-split=per_kernel "$inputs/app.cpp" -L"$out" -llibrary -Wl,-rpath,"$out" -o "$out/app"
tenonxx "$@" "$inputs/storm.cpp" -pthread -o "$out/storm"
tenonxx "$@" -DPLUGIN=1 "$inputs/plugin.cpp" -fPIC -shared -L"$out" -llibrary -Wl,-rpath,"$out" -o "$out/plugin1.so"
tenonxx "$@" -DPLUGIN=2 "$inputs/plugin.cpp" -fPIC -shared -L"$out" -llibrary -Wl,-rpath,"$out" -o "$out/plugin2.so"
tenonxx "$@" -DPLUGIN=3 "$inputs/plugin.cpp" -fPIC -shared -L"$out" -llibrary -Wl,-rpath,"$out" -o "$out/plugin3.so"
for number in 0 1 2 3 4 5 6 7; do
  cp "$out/plugin$((number % 3 + 1)).so" "$out/own$number.so"
done
