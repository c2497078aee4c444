// The golden table: the same calls under glibc and under each profile give the same lines, but for
// the differences that differences.cc lists.

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "tests/api/semantics/differences.h"
#include "tests/support/reports.h"
#include "tests/support/subprocess.h"
#include "tests/support/workspace.h"

namespace gabion::testing {
namespace {

constexpr std::chrono::seconds kTimeout{120};
constexpr size_t kLeastCalls = 300;

using Lines = std::map<std::string, std::string>;  // call -> result

Lines parse(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const size_t arrow = line.find(" -> ");
    if (arrow == std::string::npos) {
      ADD_FAILURE() << "not a line of the table: " << line;
      continue;
    }
    const bool first = lines.emplace(line.substr(0, arrow), line.substr(arrow + 4)).second;
    EXPECT_TRUE(first) << "twice in the table: " << line;
  }
  return lines;
}

Lines lines_with(const Environment& env) {
  const Outcome outcome = run(
      {.argv = {workspace_file("tests/api/semantics/program")}, .env = env, .timeout = kTimeout});
  EXPECT_TRUE(outcome.ok()) << outcome.describe();
  return parse(outcome.out);
}

bool covers(const Difference& difference, const std::string& profile, const std::string& call) {
  if (!difference.profile.empty() && difference.profile != profile) return false;
  if (!difference.calls.ends_with('*')) return difference.calls == call;
  return call.starts_with(difference.calls.substr(0, difference.calls.size() - 1));
}

// glibc's lines with the intended differences of the profile put in.
Lines expected_lines(Lines lines, const std::string& profile) {
  for (const Difference& difference : differences()) {
    bool used = false;
    for (auto& [call, result] : lines) {
      if (!covers(difference, profile, call) || result != difference.glibc) continue;
      result = difference.gabion;
      used = true;
    }
    EXPECT_TRUE(used || (!difference.profile.empty() && difference.profile != profile))
        << "stale difference: " << difference.calls;
  }
  return lines;
}

TEST(Semantics, AreGlibcs) {
  const Profile profile = profile_under_test();
  const Lines glibc = lines_with({});
  EXPECT_GT(glibc.size(), kLeastCalls);
  for (const auto& [call, result] : glibc) {
    for (const char* failure : {"MISALIGNED", "TOO SMALL", "NOT ", "LOST", "CHANGED", "OTHER"}) {
      EXPECT_EQ(result.find(failure), std::string::npos) << call << " -> " << result;
    }
  }
  const ScratchDirectory log;
  const Lines gabion = lines_with(preloaded(profile, log.path()));
  EXPECT_TRUE(read_reports(log.path()).empty());

  for (const auto& [call, result] : expected_lines(glibc, profile.name)) {
    const auto found = gabion.find(call);
    if (found == gabion.end()) {
      ADD_FAILURE() << call << " is missing";
    } else {
      EXPECT_EQ(found->second, result) << call;
    }
  }
  EXPECT_EQ(gabion.size(), glibc.size());
}

}  // namespace
}  // namespace gabion::testing
