#ifndef GABION_TESTS_BENCH_COMPARE_RESULTS_H_
#define GABION_TESTS_BENCH_COMPARE_RESULTS_H_

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/compare/job.h"

namespace gabion::bench {

enum class Quantity { kTime, kCpuTime, kPeakRss };

// The samples of every job under every allocator. Ratios are of medians, to the first allocator's.
class Results {
 public:
  Results(std::vector<std::string> allocators, std::vector<std::string> jobs);

  void add(std::size_t job, std::size_t allocator, Sample sample);

  const std::vector<std::string>& allocators() const { return allocators_; }
  const std::vector<std::string>& jobs() const { return jobs_; }

  // Nothing where a sample failed or the job does not measure this.
  std::optional<double> median_of(Quantity quantity, std::size_t job, std::size_t allocator) const;
  std::optional<double> spread_of(Quantity quantity, std::size_t job, std::size_t allocator) const;
  std::optional<double> ratio(Quantity quantity, std::size_t job, std::size_t allocator) const;
  std::optional<double> mean_ratio(Quantity quantity, std::size_t allocator) const;
  // The smallest ratio of any allocator for which `among` holds.
  template <typename Among>
  std::optional<double> best_ratio(Quantity quantity, std::size_t job, Among among) const {
    std::optional<double> best;
    for (std::size_t a = 0; a < allocators_.size(); ++a) {
      const auto candidate = among(a) ? ratio(quantity, job, a) : std::nullopt;
      if (candidate && (!best || *candidate < *best)) best = candidate;
    }
    return best;
  }

  // Names of what a job reports besides time and peak, and the median of one of them.
  std::vector<std::string> metrics(std::size_t job) const;
  std::optional<double> metric(std::size_t job, std::size_t allocator,
                               const std::string& name) const;

  bool any_failure() const;
  nlohmann::json json() const;

 private:
  const std::vector<Sample>& samples(std::size_t job, std::size_t allocator) const {
    return samples_[job * allocators_.size() + allocator];
  }
  std::vector<double> values(Quantity quantity, std::size_t job, std::size_t allocator) const;

  std::vector<std::string> allocators_;
  std::vector<std::string> jobs_;
  std::vector<std::vector<Sample>> samples_;
};

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_COMPARE_RESULTS_H_
