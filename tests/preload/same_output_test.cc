// Programs without a bug: under each profile they write what they write under glibc, end with
// status 0 and are not reported.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/reports.h"
#include "tests/support/subprocess.h"
#include "tests/support/workspace.h"

namespace gabion::testing {
namespace {

// A hang must be told from a slow machine; no program takes more than some seconds.
constexpr std::chrono::seconds kTimeout{120};

class SameOutput : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] Outcome run_program(Environment env) const {
    env.emplace_back("GABION_TEST_LIBRARY_PATH", profile_.library);
    return run({.argv = {workspace_file(GetParam())}, .env = std::move(env), .timeout = kTimeout});
  }

  [[nodiscard]] const Profile& profile() const { return profile_; }

 private:
  Profile profile_ = profile_under_test();
};

TEST_P(SameOutput, AsUnderGlibc) {
  const Outcome reference = run_program({{"GABION_TEST_PROFILE", "none"}});
  ASSERT_TRUE(reference.ok()) << "without Gabion: " << reference.describe();
  const ScratchDirectory log;
  const Outcome outcome = run_program(preloaded(profile(), log.path()));
  EXPECT_TRUE(outcome.ok()) << outcome.describe();
  EXPECT_EQ(outcome.out, reference.out);
  EXPECT_EQ(outcome.err, reference.err);
  EXPECT_TRUE(read_reports(log.path()).empty());
}

INSTANTIATE_TEST_SUITE_P(Programs, SameOutput,
                         ::testing::ValuesIn(words_of("GABION_TEST_PROGRAMS")),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           return base_name(info.param);
                         });

}  // namespace
}  // namespace gabion::testing
