// The option `unwinder` in a whole program, under the debug profile's library.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/reports.h"
#include "tests/support/subprocess.h"
#include "tests/support/workspace.h"

namespace gabion::testing {
namespace {

constexpr int kReported = 86;

Outcome run_with(const std::string& options, const std::string& where) {
  return run(
      {.argv = {workspace_file("tests/backtrace/preload/program"), where},
       .env = {{"LD_PRELOAD", workspace_file("libgabion-debug.so")}, {"GABION_OPTIONS", options}}});
}

bool names(const std::vector<std::string>& stack, const std::string& function) {
  for (const std::string& line : stack) {
    if (line.find(function) != std::string::npos) return true;
  }
  return false;
}

class Ways : public ::testing::TestWithParam<const char*> {};

TEST_P(Ways, FollowBothReleasesThroughACallback) {
  for (const char* where : {"main", "thread", "child"}) {
    const Outcome outcome = run_with(std::string("unwinder=") + GetParam(), where);
    ASSERT_EQ(outcome.exit_code, kReported) << outcome.describe();
    const auto reports = parse_text_reports(outcome.err);
    ASSERT_EQ(reports.size(), 1u) << outcome.describe();
    EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
    auto stacks = reports[0].stacks;
    for (const char* stack : {"error", "free"}) {
      EXPECT_TRUE(names(stacks[stack], "inner_release")) << stack << outcome.err;
      EXPECT_TRUE(names(stacks[stack], "qsort")) << stack << outcome.err;
      EXPECT_TRUE(names(stacks[stack], "release_twice")) << stack << outcome.err;
    }
    EXPECT_TRUE(names(stacks["alloc"], "make_block")) << outcome.err;
  }
}

// Libraries are loaded before libc's own constructor has run.
TEST_P(Ways, LeaveTheEnvironmentAlone) {
  const Outcome outcome =
      run({.argv = {workspace_file("tests/backtrace/preload/program"), "environment"},
           .env = {{"LD_PRELOAD", workspace_file("libgabion-debug.so")},
                   {"GABION_TEST_VALUE", "kept"},
                   {"GABION_OPTIONS", std::string("unwinder=") + GetParam()}}});
  EXPECT_TRUE(outcome.ok()) << outcome.describe();
}

INSTANTIATE_TEST_SUITE_P(Unwinder, Ways, ::testing::Values("auto", "tables", "libunwind"),
                         [](const auto& test) { return std::string(test.param); });

TEST(UnwinderOption, FramePointersNameTheCallerAtLeast) {
  const Outcome outcome = run_with("unwinder=frames", "main");
  ASSERT_EQ(outcome.exit_code, kReported) << outcome.describe();
  EXPECT_NE(outcome.err.find("inner_release"), std::string::npos) << outcome.err;
}

TEST(UnwinderOption, ABadWordIsOneLine) {
  const Outcome outcome = run_with("unwinder=guess", "main");
  EXPECT_EQ(outcome.exit_code, kReported) << outcome.describe();
  EXPECT_NE(outcome.err.find("unwinder=guess (want auto|tables|libunwind|frames)"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace gabion::testing
