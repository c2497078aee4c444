#ifndef GABION_TESTS_BENCH_COMPARE_JOB_H_
#define GABION_TESTS_BENCH_COMPARE_JOB_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/compare/allocators.h"

namespace gabion::bench {

// One run of one job under one allocator.
struct Sample {
  double seconds = 0;
  double cpu_seconds = 0;  // of all its processes and threads, with start-up and end
  double peak_rss_kib = 0;
  std::map<std::string, double> metrics = {};  // whatever else the job reports
  std::string failure = {};                    // empty: it went well
};

// Something that can be run under any allocator: a workload of ours, or a program.
class Job {
 public:
  virtual ~Job() = default;
  virtual const std::string& name() const = 0;
  virtual Sample run(const Allocator& allocator) = 0;
};

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_COMPARE_JOB_H_
