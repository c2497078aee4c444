// Where a whole-program test finds what it runs: the profile under test, built files, scratch
// space.

#ifndef GABION_TESTS_SUPPORT_WORKSPACE_H_
#define GABION_TESTS_SUPPORT_WORKSPACE_H_

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/subprocess.h"

namespace gabion::testing {

// Named by the build (GABION_TEST_PROFILE, GABION_TEST_LIBRARY): one test target a profile.
struct Profile {
  std::string name;     // "fast", "hardened", "debug"
  std::string library;  // absolute path of the library to preload
};

Profile profile_under_test();

// Absolute path of a file of the workspace, source or built. Under Bazel it lies in the runfiles,
// otherwise below GABION_TEST_ROOT or the working directory.
std::string workspace_file(std::string_view path);

// The words of an environment variable that the build filled in; none when it is not set.
std::vector<std::string> words_of(const char* variable);

// A path's last component: a test's name for a program.
std::string base_name(std::string_view path);

// A fresh directory, removed with all that is in it.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Environment that puts a program under the profile, with reports as JSON lines in log_dir.
Environment preloaded(const Profile& profile, const std::string& log_dir);

}  // namespace gabion::testing

#endif  // GABION_TESTS_SUPPORT_WORKSPACE_H_
