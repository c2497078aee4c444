#!/bin/sh
# Runs all tests. The last line is `N passed, N failed`; the exit status is 0 only if none failed.
# Further arguments go to `bazel test`: ./test.sh --config=clang, ./test.sh --test_filter=...
set -u

cd "$(dirname "$0")" || exit 1

case ${1:-} in
  -h | --help)
    echo "usage: ./test.sh [BAZEL OPTION]..."
    echo "Installs missing Debian packages (as root), then runs: bazel test -c opt //... BAZEL OPTION..."
    exit 0
    ;;
esac

third_party/install_packages build test || exit 1
# shellcheck source=third_party/bazel_env.sh
. third_party/bazel_env.sh
bazel_test "$@" //...
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
