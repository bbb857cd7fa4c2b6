#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the programs of this archive and prints one table.
#   ./run.sh [--only PATTERN[,PATTERN]] [--jobs N] [--results DIR] [--no-bench] [--slower FACTOR]
# Exit status: 0 all that ran passed, 1 something failed, 2 nothing was run.
cd "$(dirname "$0")" || exit 2
here=$PWD only='*' jobs=8 results=$here/results bench=1 slower=1
while [ $# -gt 0 ]; do
  case $1 in
    --only) only=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --results) results=$2; shift 2 ;;
    --no-bench) bench=0; shift ;;
    --slower) slower=$2; shift 2 ;;
    *) sed -n '3,5p' "$0"; exit 2 ;;
  esac
done
[ "$jobs" -gt 8 ] && jobs=8
mkdir -p "$results" || exit 2
results=$(cd "$results" && pwd)
rm -f "$results"/*.txt "$results"/*.row

# Nothing of the person's own settings and caches.
for name in $(compgen -e); do
  case $name in TENON_* | SYCL_* | ONEAPI_DEVICE_SELECTOR | XDG_CACHE_HOME | LD_PRELOAD) unset "$name" ;; esac
done
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} HOME=$scratch

milliseconds() { local t=${EPOCHREALTIME/[.,]/}; echo $((t / 1000)); }

TENON_LOG=device timeout 60 ./probe > "$scratch/gpus" 2> "$scratch/probe.log"
gpu_count=$(grep -c '|' "$scratch/gpus")
processor=$(head -1 "$scratch/gpus" | cut -d'|' -f4)
driver_version=$(cat /sys/module/nvidia/version 2> /dev/null ||
  nvidia-smi --query-gpu=driver_version --format=csv,noheader 2> /dev/null | head -1)
nvcc=$(command -v nvcc || { [ -x /usr/local/cuda/bin/nvcc ] && echo /usr/local/cuda/bin/nvcc; })

print_head() {
  echo "Tenon on NVIDIA GPUs"
  echo "commit   $(cat commit)"
  echo "run      $(date -u '+%Y-%m-%d %H:%M') UTC, on $(nproc) processors, $(uname -s) $(uname -r)"
  if [ "$gpu_count" -eq 0 ]; then
    echo "GPU      none"
    grep -i 'cuda\|nvidia' "$scratch/probe.log" | head -3 | sed 's/^/         /'
  fi
  [ -n "$driver_version" ] && echo "driver   $driver_version"
  while IFS='|' read -r number name driver version memory units; do
    echo "GPU $number    $name, compute capability $version, $memory, $units multiprocessors, $driver"
  done < "$scratch/gpus"
  echo
  printf '%-46s %-8s %9s  %s\n' program result time what
}

# What a program needs and this machine lacks; nothing when it can run.
lacking() {
  local need
  for need in ${1//,/ }; do
    case $need in
      gpu) [ "$gpu_count" -gt 0 ] || { echo "no device"; return; } ;;
      gpus=*) [ "$gpu_count" -ge "${need#gpus=}" ] || { echo "it needs ${need#gpus=} GPUs"; return; } ;;
      sm_*) [ "$processor" = "${need}" ] || [ "$processor" = "${need#sm_}" ] ||
            [[ $processor == *"${need:3:1}.${need:4}"* ]] || { echo "it is for $need"; return; } ;;
      rtc) [ -e lib/libtenon-compiler.so ] || { echo "the archive has no libtenon-compiler.so"; return; } ;;
      cpu) ;;
      *) command -v "$need" > /dev/null || { echo "it needs $need"; return; } ;;
    esac
  done
}

row() { printf '%-46s %-8s %9s  %s\n' "$1" "$2" "$3" "${4:0:160}" > "$results/$1.row"; }

# The line that tells most: the last one that is not empty.
last_line() { grep -v '^[[:space:]]*$' "$1" | tail -1 | tr -d '\r' | cut -c1-160; }

judge() {
  local name=$1 status=$2 limit=$3 output=$results/$1.txt line
  case $status in
    0) while IFS= read -r line; do
         grep -qF -- "$line" "$output" || { echo "fail|its output lacks: $line"; return; }
       done < "programs/$name/expected"
       echo "pass|" ;;
    77) echo "not run|$(last_line "$output")" ;;
    124 | 137) echo "fail|it ran longer than $limit s" ;;
    127) line=$(grep -m1 'error while loading shared libraries' "$output")
         line=${line#*libraries: }
         if [ -n "$line" ]; then echo "not run|this machine lacks ${line%%:*}"; else
           echo "fail|$(last_line "$output")"; fi ;;
    *) [ "$status" -gt 128 ] && line="signal $((status - 128)); " || line="exit $status; "
       echo "fail|$line$(last_line "$output")" ;;
  esac
}

run_test() {
  local name=$1 needs=$2 limit=$(($3 * slower)) command=$4 why start status verdict
  case $needs in
    skip) row "$name" "not run" - "$command"; return ;;
    fail) row "$name" fail - "$command"; return ;;
  esac
  why=$(lacking "$needs")
  if [ -n "$why" ]; then
    row "$name" "not run" - "$why"
    return
  fi
  start=$(milliseconds)
  mkdir -p "$scratch/$name"
  (
    cd "programs/$name" || exit 2
    export HOME=$scratch/$name LD_LIBRARY_PATH=$PWD:$LD_LIBRARY_PATH
    case ,$needs, in *,cpu,*) ;; *) export ONEAPI_DEVICE_SELECTOR='cuda:*' ;; esac
    exec timeout -k 2 "$limit" bash -c "$command"
  ) > "$results/$name.txt" 2>&1 < /dev/null
  status=$?
  verdict=$(judge "$name" "$status" "$limit")
  row "$name" "${verdict%%|*}" "$(seconds $(($(milliseconds) - start)))" "${verdict#*|}"
}

seconds() { printf '%d.%02d s' $(($1 / 1000)) $(($1 % 1000 / 10)); }

is_wanted() {
  local pattern patterns
  IFS=, read -ra patterns <<< "$only"
  for pattern in "${patterns[@]}"; do
    # shellcheck disable=SC2053
    [[ $1 == $pattern ]] && return 0
  done
  return 1
}

print_head
while IFS='|' read -r kind name needs limit command; do
  [ "$kind" = test ] && is_wanted "$name" || continue
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  run_test "$name" "$needs" "$limit" "$command" 2> /dev/null &  # bash tells of signals there
done < index
wait
cat "$results"/*.row 2> /dev/null

source ./bench.sh
[ "$bench" = 1 ] && run_benchmarks

passed=0 failed=0 skipped=0
for file in "$results"/*.row; do
  [ -e "$file" ] || continue
  case $(cut -c48-54 "$file") in
    pass*) passed=$((passed + 1)) ;;
    fail*) failed=$((failed + 1)) ;;
    *) skipped=$((skipped + 1)) ;;
  esac
done
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -gt 0 ] && exit 1
[ "$passed" -gt 0 ] || exit 2
