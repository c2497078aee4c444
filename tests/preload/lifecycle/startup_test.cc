// The library beside others that get in its way while a program starts.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/subprocess.h"
#include "tests/support/workspace.h"

namespace gabion::testing {
namespace {

constexpr const char* kDirectory = "tests/preload/lifecycle/";
constexpr std::chrono::seconds kTimeout{60};

// A program that loads libraries and has threads.
Outcome run_with(const std::string& variable, const std::string& value) {
  return run({.argv = {workspace_file(std::string(kDirectory) + "plugins")},
              .env = {{"LD_PRELOAD", profile_under_test().library}, {variable, value}},
              .timeout = kTimeout});
}

void expect_undisturbed(const Outcome& outcome) {
  EXPECT_TRUE(outcome.ok()) << outcome.describe();
  EXPECT_EQ(outcome.out, "worked\n");
  EXPECT_EQ(outcome.err, "");
}

std::string beside(const char* name) { return workspace_file(std::string(kDirectory) + name); }

TEST(Startup, BehindAnInterposer) {
  expect_undisturbed(
      run_with("LD_PRELOAD", beside("libinterposer.so") + ":" + profile_under_test().library));
}

TEST(Startup, BeforeAnInterposer) {
  expect_undisturbed(
      run_with("LD_PRELOAD", profile_under_test().library + ":" + beside("libinterposer.so")));
}

TEST(Startup, UnderAnAuditModule) {
  expect_undisturbed(run_with("LD_AUDIT", beside("libaudit.so")));
}

TEST(Startup, WithLazyBindingOff) { expect_undisturbed(run_with("LD_BIND_NOW", "1")); }

TEST(Startup, PreloadedTwice) {
  const std::string library = profile_under_test().library;
  expect_undisturbed(run_with("LD_PRELOAD", library + ":" + library));
}

TEST(Startup, BadOptionsAreWarnedOfAndIgnored) {
  const Outcome outcome = run_with("GABION_OPTIONS", "no_such_option=1:stack_depth=many:=:::x");
  EXPECT_TRUE(outcome.ok()) << outcome.describe();
  EXPECT_EQ(outcome.out, "worked\n");
  EXPECT_NE(outcome.err.find("gabion: warning: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("no_such_option"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace gabion::testing
