#!/usr/bin/env bash
# workloads_test.sh WORKLOADS [LIBRARY]: every workload runs, small, and finds its own data unharmed.
set -euo pipefail
workloads=$1
library=${2:+$(realpath "$2")}
failed=0
for name in $("$workloads" --list | cut -f1); do
  if ! report=$(LD_PRELOAD=$library "$workloads" "$name" --scale 0.01 --threads 4 \
    --expect-lib "${library:-libc.so.6}") || [[ $report != "{\"workload\":\"$name\","*"}" ]]; then
    echo "FAILED $name: ${report-}"
    failed=1
  fi
done
exit $failed
