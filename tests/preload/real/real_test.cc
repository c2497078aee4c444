// Real programs under each profile write what they write without it. Each *.sh here is one test:
// its comment lines `# needs:` and `# timeout:` name the programs and the seconds that it needs. It
// runs in an empty directory with $DATA as the directory of its files.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/reports.h"
#include "tests/support/subprocess.h"
#include "tests/support/workspace.h"

namespace gabion::testing {
namespace {

constexpr int kTimeout = 120;  // seconds, unless the script says more

struct Script {
  std::vector<std::string> needs;
  std::chrono::seconds timeout{kTimeout};
};

Script read_script(const std::string& path) {
  Script script;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line) && line.starts_with("# ");) {
    std::istringstream words(line.substr(2));
    std::string key;
    words >> key;
    if (key == "needs:") {
      for (std::string program; words >> program;) script.needs.push_back(program);
    } else if (key == "timeout:") {
      int seconds = kTimeout;
      words >> seconds;
      script.timeout = std::chrono::seconds(seconds);
    }
  }
  return script;
}

bool is_installed(const std::string& program) {
  std::istringstream directories(std::getenv("PATH"));
  for (std::string directory; std::getline(directories, directory, ':');) {
    if (access((directory + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

class Real : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static Outcome run_script(const Script& script, Environment env) {
    const ScratchDirectory directory;
    const std::string path = workspace_file(GetParam());
    env.emplace_back("DATA", std::filesystem::path(path).parent_path());
    env.emplace_back("HOME", directory.path());
    env.emplace_back("LC_ALL", "C.UTF-8");
    return run({.argv = {"bash", "-eu", "-o", "pipefail", path},
                .env = std::move(env),
                .directory = directory.path(),
                .timeout = script.timeout});
  }
};

TEST_P(Real, WritesTheSame) {
  const Script script = read_script(workspace_file(GetParam()));
  ASSERT_FALSE(script.needs.empty()) << "no `# needs:` line";
  for (const std::string& program : script.needs) {
    if (!is_installed(program)) GTEST_SKIP() << program << " is not installed";
  }
  const Outcome reference = run_script(script, {});
  ASSERT_TRUE(reference.ok()) << "without Gabion: " << reference.describe();
  const ScratchDirectory log;
  const Outcome outcome = run_script(script, preloaded(profile_under_test(), log.path()));
  EXPECT_TRUE(outcome.ok()) << outcome.describe();
  EXPECT_EQ(outcome.out, reference.out);
  EXPECT_EQ(outcome.err.find("Gabion"), std::string::npos) << outcome.err;
  for (const nlohmann::json& report : read_reports(log.path())) {
    ADD_FAILURE() << report.dump(2);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Real, ::testing::ValuesIn(words_of("GABION_TEST_PROGRAMS")),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           return std::filesystem::path(info.param).stem().string();
                         });

}  // namespace
}  // namespace gabion::testing
