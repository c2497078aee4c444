#!/bin/sh
# Builds Gabion and shows what it is for; ./demo.sh --help says more.
set -eu

usage() {
  cat <<'END'
usage: ./demo.sh [--prefix DIR]

Installs the Debian packages that are missing (as root), builds the three libraries and the command, compiles a small
program (docs/example) without any sanitizer, and lets `gabion run` find the bug in it.

  --prefix DIR   build, and install bin, lib, include, man page and pkg-config file under DIR instead
  --help         print this text

Exit status: 0 if all went as it should, 1 if not, 2 for a wrong option.
END
}

fail() {
  echo "demo.sh: $1" >&2
  exit "${2:-1}"
}

prefix=""
while [ $# -gt 0 ]; do
  case $1 in
    --prefix)
      [ $# -ge 2 ] || fail "--prefix needs a directory" 2
      prefix=$2
      shift
      ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) fail "unknown option '$1' (--help lists the options)" 2 ;;
  esac
  [ -n "$prefix" ] || fail "--prefix needs a directory" 2
  shift
done
case $prefix in
  "" | /*) ;;
  *) prefix=$PWD/$prefix ;;
esac

cd "$(dirname "$0")"

third_party/install_packages build
# shellcheck source=third_party/bazel_env.sh
. third_party/bazel_env.sh

echo "Building the libraries and the command"
bazel_run build -c opt //:libs //:gabion || fail "the build failed"
out=$(bazel_run info -c opt bazel-bin) || fail "bazel-bin not found"

if [ -n "$prefix" ]; then
  third_party/install_files "$out" "$prefix" || fail "could not install to $prefix"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Compiling docs/example with gcc -g -O1"
gcc -g -O1 -pthread -o "$work/logstat" docs/example/*.c || fail "the example does not compile"

echo
echo "\$ logstat docs/example/access.log"
status=0
"$work/logstat" docs/example/access.log || status=$?
echo "(exit status $status: nothing to be seen)"

echo
echo "\$ gabion run -- logstat docs/example/access.log"
status=0
"$out/gabion" run -- "$work/logstat" docs/example/access.log >"$work/output" 2>&1 || status=$?
cat "$work/output"
echo "(exit status $status)"
echo

[ "$status" -eq 86 ] || fail "the exit status should have been 86"
for expected in "attempting double-free" \
  "failures_discard.*request.c:" "tally_main.*tally.c:" "request_parse.*request.c:" \
  "freed by thread T1 here" "previously allocated by thread T0 here"; do
  grep -q -e "$expected" "$work/output" || fail "the report does not say '$expected'"
done
echo "Found: the block was allocated in request_parse, freed by the tally's thread, and freed again in failures_discard."
