#ifndef GABION_TESTS_BENCH_WORKLOAD_H_
#define GABION_TESTS_BENCH_WORKLOAD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gabion::bench {

struct Settings {
  double scale = 1;      // multiplies the work; 1 is one to three seconds under glibc
  unsigned threads = 0;  // 0: the workload's own number
  std::size_t live =
      0;  // blocks alive at a time, for the workloads that have such a number; 0: its own
  std::uint64_t seed = 42;

  std::size_t scaled(std::size_t amount) const {
    return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(amount) * scale));
  }
  unsigned threads_or(unsigned own) const { return threads == 0 ? own : threads; }
  std::size_t live_or(std::size_t own) const { return live == 0 ? own : live; }
};

// A number that only this workload has.
struct Metric {
  std::string name;
  double value;
};

struct Result {
  double seconds = 0;  // the allocator's work: without start-up, idle waits and final checks
  std::uint64_t operations = 0;  // allocations, releases and reallocations
  std::vector<Metric> metrics = {};
};

struct Workload {
  const char* name;
  const char* summary;
  Result (*run)(const Settings&);
};

// All of them, in the order of docs/benchmarks.md.
std::span<const Workload> all_workloads();

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_WORKLOAD_H_
