#ifndef GABION_TESTS_BENCH_COMPARE_CHART_H_
#define GABION_TESTS_BENCH_COMPARE_CHART_H_

#include <string>

#include "tests/bench/compare/results.h"

namespace gabion::bench {

// An SVG drawing with two panels, time and peak resident memory: a row a job, a dot an allocator,
// at its ratio to the baseline, on a logarithmic scale.
std::string chart(const Results& results);

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_COMPARE_CHART_H_
