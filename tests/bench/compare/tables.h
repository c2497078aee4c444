#ifndef GABION_TESTS_BENCH_COMPARE_TABLES_H_
#define GABION_TESTS_BENCH_COMPARE_TABLES_H_

#include <string>

#include "tests/bench/compare/results.h"

namespace gabion::bench {

// A Markdown table: a row a job, a column an allocator, the first in absolute numbers and the
// others as ratios to it. If `subject` is one of them, a last column has its ratio to the best of
// those that are not Gabion's.
std::string ratio_table(const Results& results, Quantity quantity, const std::string& subject);

// A Markdown table of what else the jobs report, as medians.
std::string metric_table(const Results& results);

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_COMPARE_TABLES_H_
