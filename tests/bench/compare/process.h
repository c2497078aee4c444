#ifndef GABION_TESTS_BENCH_COMPARE_PROCESS_H_
#define GABION_TESTS_BENCH_COMPARE_PROCESS_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gabion::bench {

struct Command {
  std::vector<std::string> arguments;
  std::filesystem::path preload = {};    // empty: none
  std::filesystem::path directory = {};  // to run in; empty: this process' own
  double timeout_seconds = 300;
};

struct Outcome {
  bool timed_out = false;
  int status = 0;  // as a shell says it: 128 + signal for a killed process
  double seconds = 0;
  double cpu_seconds = 0;          // user and system, of the whole tree
  std::uint64_t peak_rss_kib = 0;  // of the largest process of the tree
  std::string output;
  std::string errors;

  bool ok() const { return !timed_out && status == 0; }
  // Why it is not ok, in one line.
  std::string failure() const;
};

// Runs the command to its end. Throws std::system_error if no process can be made.
Outcome run(const Command& command);

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_COMPARE_PROCESS_H_
