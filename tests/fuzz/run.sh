#!/usr/bin/env bash
# Runs every fuzzer for an equal share of the time: tests/fuzz/run.sh BUILD SECONDS
# What it learns is kept in BUILD/corpus; an input that crashes is written to BUILD/crashes and ends the run.
set -euo pipefail
build=$1 total=$2
here=$(dirname "$0")

sources=("$here"/*_fuzz.cpp)
share=$((total / ${#sources[@]}))
for source in "${sources[@]}"; do
  name=$(basename "$source" _fuzz.cpp)
  fuzzer=$build/bin/${name}_fuzz
  mkdir -p "$build/corpus/$name" "$build/crashes"
  seeds=()
  [[ -d $here/corpus/$name ]] && seeds=("$here/corpus/$name")
  echo "== $name: $share s"
  UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "$fuzzer" -max_total_time="$share" -timeout=10 -rss_limit_mb=2048 \
    -verbosity=0 -print_funcs=0 -print_final_stats=1 -artifact_prefix="$build/crashes/$name-" "$build/corpus/$name" ${seeds[@]+"${seeds[@]}"} ||
    { echo "fuzz: $name failed; the input is in $build/crashes (run $fuzzer FILE to see it again)" >&2; exit 1; }
done
echo "fuzz: ${#sources[@]} fuzzer(s), $share s each, nothing found"
