#ifndef GABION_TESTS_BENCH_WORKLOADS_WORKLOADS_H_
#define GABION_TESTS_BENCH_WORKLOADS_WORKLOADS_H_

#include "tests/bench/workload.h"

namespace gabion::bench {

// Each is explained at the top of the file that defines it.
Result idle(const Settings& settings);
Result realloc_double(const Settings& settings);
Result bulk_fill(const Settings& settings);
Result thread_burst(const Settings& settings);
Result thread_churn(const Settings& settings);
Result pairs(const Settings& settings);
Result batch_lifo(const Settings& settings);
Result batch_fifo(const Settings& settings);
Result batch_random(const Settings& settings);
Result lifetimes(const Settings& settings);
Result lifetimes_2_threads(const Settings& settings);
Result lifetimes_100k(const Settings& settings);
Result alternating(const Settings& settings);
Result server(const Settings& settings);
Result pipe_small(const Settings& settings);
Result pipe_mixed(const Settings& settings);
Result funnel_small(const Settings& settings);
Result funnel_mixed(const Settings& settings);
Result false_sharing_active(const Settings& settings);
Result false_sharing_passive(const Settings& settings);
Result large_replace(const Settings& settings);
Result realloc_growth(const Settings& settings);
Result fragmentation(const Settings& settings);

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_WORKLOADS_WORKLOADS_H_
