#!/usr/bin/env bash
# Counts the instructions of one malloc and free together, under callgrind, with each allocator preloaded: the loop and two
# jumps through the PLT included, start-up excluded (two runs of different length are subtracted).
#
#   bazel run -c opt //tests/bench:instructions -- [--size BYTES] [--at-most N] [ALLOCATOR...]
#
# Allocators are named as for `compare`; the default is all that are there. With --at-most, the exit status is 1 if Gabion's
# fast profile needs more than N, or is missing.
set -euo pipefail

size=32
limit=
while [[ ${1-} == --* ]]; do
  case $1 in
    --size) size=$2 ;;
    --at-most) limit=$2 ;;
    *)
      echo "usage: instructions [--size BYTES] [--at-most N] [ALLOCATOR...]" >&2
      exit 2
      ;;
  esac
  shift 2
done
command -v valgrind >/dev/null || {
  echo "instructions: valgrind is not installed (apt-get install valgrind)" >&2
  exit 1
}

# Beside this script when Bazel runs it, else where Bazel has built them.
tools=$(dirname "$0")
[[ -x $tools/pair_loop ]] || tools=$(dirname "$0")/../../bazel-bin/tests/bench
chosen=$(IFS=,; echo "${*:-glibc,fast,hardened,debug,jemalloc,mimalloc,tcmalloc,tbbmalloc}")

# instructions LIBRARY COUNT BATCH: of one whole run.
instructions() {
  LD_PRELOAD=$1 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
    "$tools/pair_loop" "$2" "$size" "$3" 2>&1 | sed -n 's/.*Collected : \([0-9]*\)/\1/p'
}

# per_pair LIBRARY BATCH: the second run is longer by a number of pairs that every batch divides.
per_pair() {
  local few=100000 more=200000
  local first second
  first=$(instructions "$1" $few "$2")
  second=$(instructions "$1" $((few + more)) "$2")
  awk -v first="$first" -v second="$second" -v pairs=$more 'BEGIN { printf "%.1f", (second - first) / pairs }'
}

status=0
seen_fast=
echo "| instructions for malloc + free of $size bytes | pairs | batches of 100 |"
echo "|---|---:|---:|"
while IFS=$'\t' read -r name library; do
  pairs=$(per_pair "$library" 1)
  batches=$(per_pair "$library" 100)
  echo "| $name | $pairs | $batches |"
  if [[ $name == fast ]]; then
    seen_fast=yes
    if [[ -n $limit ]] && awk -v a="$pairs" -v b="$batches" -v n="$limit" 'BEGIN { exit !(a > n || b > n) }'; then
      echo "instructions: the fast profile needs more than $limit" >&2
      status=1
    fi
  fi
done < <("$tools/compare" --list-allocators --allocators "$chosen")
if [[ -n $limit && -z $seen_fast ]]; then
  echo "instructions: the fast profile is missing" >&2
  status=1
fi
exit $status
