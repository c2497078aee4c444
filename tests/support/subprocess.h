// Runs a command to its end, or to a timeout, and keeps what it wrote.

#ifndef GABION_TESTS_SUPPORT_SUBPROCESS_H_
#define GABION_TESTS_SUPPORT_SUBPROCESS_H_

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace gabion::testing {

using Environment = std::vector<std::pair<std::string, std::string>>;

struct Command {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH
  Environment env = {};           // set on top of the caller's own environment
  std::string directory = {};     // working directory; empty: the caller's
  std::chrono::seconds timeout{60};
};

struct Outcome {
  bool timed_out = false;
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;
  std::string out;
  std::string err;

  [[nodiscard]] bool ok() const { return !timed_out && exit_code == 0; }
  // How it ended and what it wrote, for failure messages.
  [[nodiscard]] std::string describe() const;
};

// The command gets a process group of its own; whatever is left of the group is killed at the end,
// so that neither a hang nor a forgotten daemon outlives its test.
Outcome run(const Command& command);

}  // namespace gabion::testing

#endif  // GABION_TESTS_SUPPORT_SUBPROCESS_H_
