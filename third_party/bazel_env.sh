# Sourced by the scripts. ${BAZEL} may name another Bazel than the one in the path.

# bazel_run COMMAND ARGUMENT...: without colours and cursor movements.
bazel_run() {
  bazel_command=$1
  shift
  "${BAZEL:-bazel}" "$bazel_command" --color=no --curses=no --noshow_progress "$@"
}

# bazel_test ARGUMENT...: `bazel test -c opt`, and the number of test targets in $passed and
# $failed. What could not be built has failed; so has a run that Bazel gave up before it came to any
# test.
bazel_test() {
  bazel_log=$(mktemp)
  {
    bazel_run test -c opt --keep_going --test_summary=short "$@" 2>&1
    echo "bazel exit status $?"
  } | tee "$bazel_log" | sed '/^bazel exit status /d'
  bazel_status=$(sed -n 's/^bazel exit status //p' "$bazel_log")
  # "//tests/base:bits_test    (cached) PASSED in 0.1s"
  outcomes=$(sed -nE 's,^//[^ ]+ +(\(cached\) )?([A-Z][A-Z ]*[A-Z]).*,\2,p' "$bazel_log")
  rm -f "$bazel_log"
  passed=$(printf '%s\n' "$outcomes" | grep -cE '^(PASSED|FLAKY)$')
  failed=$(printf '%s\n' "$outcomes" | grep -vE '^(PASSED|FLAKY|SKIPPED|)$' | wc -l)
  # Status 4: the selection has no tests.
  case $bazel_status in
    0 | 4) ;;
    *) [ "$failed" -gt 0 ] || failed=1 ;;
  esac
}
