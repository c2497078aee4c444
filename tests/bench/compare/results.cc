#include "tests/bench/compare/results.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/bench/compare/statistics.h"

namespace gabion::bench {
namespace {

double value_of(const Sample& sample, Quantity quantity) {
  switch (quantity) {
    case Quantity::kTime:
      return sample.seconds;
    case Quantity::kCpuTime:
      return sample.cpu_seconds;
    case Quantity::kPeakRss:
      return sample.peak_rss_kib;
  }
  return 0;
}

}  // namespace

Results::Results(std::vector<std::string> allocators, std::vector<std::string> jobs)
    : allocators_(std::move(allocators)),
      jobs_(std::move(jobs)),
      samples_(allocators_.size() * jobs_.size()) {}

void Results::add(std::size_t job, std::size_t allocator, Sample sample) {
  samples_[job * allocators_.size() + allocator].push_back(std::move(sample));
}

std::vector<double> Results::values(Quantity quantity, std::size_t job,
                                    std::size_t allocator) const {
  std::vector<double> values;
  for (const Sample& sample : samples(job, allocator)) {
    if (!sample.failure.empty()) return {};
    values.push_back(value_of(sample, quantity));
  }
  return values;
}

std::optional<double> Results::median_of(Quantity quantity, std::size_t job,
                                         std::size_t allocator) const {
  const double value = median(values(quantity, job, allocator));
  return value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<double> Results::spread_of(Quantity quantity, std::size_t job,
                                         std::size_t allocator) const {
  const std::vector<double> all = values(quantity, job, allocator);
  return median(all) > 0 ? std::optional(spread(all)) : std::nullopt;
}

std::optional<double> Results::ratio(Quantity quantity, std::size_t job,
                                     std::size_t allocator) const {
  const auto baseline = median_of(quantity, job, 0);
  const auto own = median_of(quantity, job, allocator);
  return baseline && own ? std::optional(*own / *baseline) : std::nullopt;
}

std::optional<double> Results::mean_ratio(Quantity quantity, std::size_t allocator) const {
  std::vector<double> ratios;
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    if (const auto value = ratio(quantity, job, allocator)) ratios.push_back(*value);
  }
  return ratios.empty() ? std::nullopt : std::optional(geometric_mean(ratios));
}

std::vector<std::string> Results::metrics(std::size_t job) const {
  std::set<std::string> names;
  for (std::size_t a = 0; a < allocators_.size(); ++a) {
    for (const Sample& sample : samples(job, a)) {
      for (const auto& [name, value] : sample.metrics) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

std::optional<double> Results::metric(std::size_t job, std::size_t allocator,
                                      const std::string& name) const {
  std::vector<double> found;
  for (const Sample& sample : samples(job, allocator)) {
    if (const auto at = sample.metrics.find(name); at != sample.metrics.end())
      found.push_back(at->second);
  }
  return found.empty() ? std::nullopt : std::optional(median(found));
}

bool Results::any_failure() const {
  return std::any_of(samples_.begin(), samples_.end(), [](const std::vector<Sample>& of_one) {
    return std::any_of(of_one.begin(), of_one.end(),
                       [](const Sample& sample) { return !sample.failure.empty(); });
  });
}

nlohmann::json Results::json() const {
  using nlohmann::json;
  const auto or_null = [](std::optional<double> value) {
    return value ? json(*value) : json(nullptr);
  };
  json rows = json::array();
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    for (std::size_t a = 0; a < allocators_.size(); ++a) {
      json list = json::array();
      for (const Sample& sample : samples(j, a)) {
        json entry = {{"seconds", sample.seconds},
                      {"cpu_seconds", sample.cpu_seconds},
                      {"peak_rss_kib", sample.peak_rss_kib}};
        if (!sample.metrics.empty()) entry["metrics"] = sample.metrics;
        if (!sample.failure.empty()) entry["failure"] = sample.failure;
        list.push_back(std::move(entry));
      }
      rows.push_back({{"name", jobs_[j]},
                      {"allocator", allocators_[a]},
                      {"time_ratio", or_null(ratio(Quantity::kTime, j, a))},
                      {"time_spread", or_null(spread_of(Quantity::kTime, j, a))},
                      {"cpu_time_ratio", or_null(ratio(Quantity::kCpuTime, j, a))},
                      {"peak_rss_ratio", or_null(ratio(Quantity::kPeakRss, j, a))},
                      {"samples", std::move(list)}});
    }
  }
  json means = json::object();
  for (std::size_t a = 0; a < allocators_.size(); ++a) {
    means[allocators_[a]] = {{"time_ratio", or_null(mean_ratio(Quantity::kTime, a))},
                             {"cpu_time_ratio", or_null(mean_ratio(Quantity::kCpuTime, a))},
                             {"peak_rss_ratio", or_null(mean_ratio(Quantity::kPeakRss, a))}};
  }
  return {{"results", std::move(rows)}, {"geometric_means", std::move(means)}};
}

}  // namespace gabion::bench
