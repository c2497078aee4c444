#ifndef GABION_TESTS_BENCH_COMPARE_WORKLOAD_JOB_H_
#define GABION_TESTS_BENCH_COMPARE_WORKLOAD_JOB_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/compare/job.h"

namespace gabion::bench {

struct WorkloadOptions {
  std::filesystem::path binary;             // `workloads`
  std::vector<std::string> arguments = {};  // --scale and the like, for every workload
  double timeout_seconds = 300;
  bool count_system_calls = false;  // one more run of each, under strace
};

// The workloads of that binary: those named, or all.
std::vector<std::unique_ptr<Job>> workload_jobs(const WorkloadOptions& options,
                                                const std::vector<std::string>& names);

// Empty if a program that preloads this library gets its malloc from it; else why not.
std::string preload_failure(const std::filesystem::path& workloads, const Allocator& allocator);

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_COMPARE_WORKLOAD_JOB_H_
