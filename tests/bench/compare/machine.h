#ifndef GABION_TESTS_BENCH_COMPARE_MACHINE_H_
#define GABION_TESTS_BENCH_COMPARE_MACHINE_H_

#include <nlohmann/json_fwd.hpp>

namespace gabion::bench {

// Processor, cores, memory, kernel, C library, huge page setting, load: what a reader of numbers
// must know.
nlohmann::json describe_machine();

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_COMPARE_MACHINE_H_
