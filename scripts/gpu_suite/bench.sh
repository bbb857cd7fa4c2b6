# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Benchmarks of the GPU suite, one at a time, each beside its twin in CUDA; part of run.sh.

make_twin() {
  local folder=$1
  [ -e "$folder/twin.name" ] || { echo "no twin in CUDA; what it compares with is in it"; return; }
  [ -x "$folder/twin" ] && return
  [ -n "$nvcc" ] || { echo "not compared: there is no nvcc here, nor was there where it was packed"; return; }
  (cd "$folder" && "$nvcc" -O3 -std=c++17 -arch=native -I . "$(cat twin.name)" -o twin -lcuda) \
    > "$scratch/nvcc.txt" 2>&1 || echo "not compared: nvcc fails: $(last_line "$scratch/nvcc.txt")"
}

# Tenon's lines `name<tab>seconds<tab>work`, with the twin's work and the ratio of the seconds behind
# those that it has as well: over 1 is faster than CUDA. Other lines stay as they are.
print_compared() {
  awk -F '\t' '
    function is_number(s) { return s ~ /^[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/ }
    FILENAME == ARGV[1] { if (NF >= 2 && is_number($2)) { seconds[$1] = $2; work[$1] = $3 } next }
    NF >= 2 && is_number($2) && $2 > 0 {
      printf "  %-34s %14s", $1, $3 != "" ? $3 : $2 * 1e6 " us"
      if ($1 in seconds) {
        printf " %14s %8.3f", work[$1] != "" ? work[$1] : seconds[$1] * 1e6 " us", seconds[$1] / $2
      }
      printf "\n"
      next
    }
    { print "  " $0 }' "$1" "$2"
}

run_benchmarks() {
  local kind name needs limit command note
  while IFS='|' read -r kind name needs limit command; do
    [ "$kind" = bench ] && is_wanted "$name" || continue
    run_test "$name" "$needs" "$limit" "$command"
    echo
    cat "$results/$name.row"
    [ -s "$results/$name.txt" ] || continue
    note=$(make_twin "programs/$name")
    : > "$scratch/twin.txt"
    if [ -z "$note" ]; then
      (cd "programs/$name" && timeout -k 2 "$limit" ./twin) > "$scratch/twin.txt" 2>&1 < /dev/null ||
        note="not compared: the twin fails: $(last_line "$scratch/twin.txt")"
      printf '  %-34s %14s %14s %8s\n' "" Tenon CUDA ratio
    fi
    cp "$scratch/twin.txt" "$results/$name.twin.txt"
    [ -n "$note" ] && echo "  $note"
    print_compared "$scratch/twin.txt" "$results/$name.txt"
  done < index
}
