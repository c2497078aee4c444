#!/usr/bin/env bash
# What the debug and hardened profiles cost real programs in time and memory, against glibc:
#   bazel run -c opt //tests/bench:footprint -- [options of compare]
set -euo pipefail
tools=$(dirname "$0")
[[ -x $tools/compare ]] || tools=$(dirname "$0")/../../bazel-bin/tests/bench
exec "$tools/compare" --commands "$(dirname "$(realpath "$0")")/programs.txt" --allocators glibc,hardened,debug \
  --subject debug "$@"
