#ifndef GABION_TESTS_BENCH_COMPARE_STATISTICS_H_
#define GABION_TESTS_BENCH_COMPARE_STATISTICS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace gabion::bench {

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Half the distance between the smallest and the largest value, as a fraction of the median.
inline double spread(const std::vector<double>& values) {
  const double middle = median(values);
  if (middle == 0) return 0;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return (*high - *low) / 2 / middle;
}

inline double geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  const double sum =
      std::accumulate(values.begin(), values.end(), 0.0,
                      [](double total, double value) { return total + std::log(value); });
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_COMPARE_STATISTICS_H_
