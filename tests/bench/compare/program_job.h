#ifndef GABION_TESTS_BENCH_COMPARE_PROGRAM_JOB_H_
#define GABION_TESTS_BENCH_COMPARE_PROGRAM_JOB_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/compare/job.h"

namespace gabion::bench {

struct Program {
  std::string name;
  std::string requires_command = {};  // skipped, with a word, if this is not installed
  std::string prepare = {};           // shell code, run once without any preload: makes the input
  std::string run = {};               // shell code, measured
  bool same_output = true;            // whether it must print the same under every allocator
};

// A file of sections:
//   [name]
//   requires: command
//   prepare: shell code
//   run: shell code
//   output: same | varies
// A line that begins with a space continues the one before; # begins a comment. Throws
// std::invalid_argument.
std::vector<Program> read_programs(const std::filesystem::path& file);

// The programs named, or all; prepared, each in a folder of its own under `scratch`. `missing` gets
// a line for each that cannot be run.
std::vector<std::unique_ptr<Job>> program_jobs(const std::vector<Program>& programs,
                                               const std::vector<std::string>& names,
                                               const std::filesystem::path& scratch,
                                               double timeout_seconds,
                                               std::vector<std::string>& missing);

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_COMPARE_PROGRAM_JOB_H_
