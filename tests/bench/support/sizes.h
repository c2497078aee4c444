#ifndef GABION_TESTS_BENCH_SUPPORT_SIZES_H_
#define GABION_TESTS_BENCH_SUPPORT_SIZES_H_

#include <cstddef>

#include "tests/bench/support/random.h"

namespace gabion::bench {

// The sizes that programs ask for, roughly: strings and nodes most of the time, now and then a
// buffer.
inline std::size_t realistic_size(Random& random) {
  const std::size_t draw = random.below(1000);
  if (draw < 600) return random.between(16, 128);
  if (draw < 900) return random.between(129, 1024);
  if (draw < 990) return random.between(1025, 8192);
  return random.between(8193, 65536);
}

// Every doubling from `low` to `high` (both powers of two) equally often, uniform within one.
inline std::size_t log_uniform_size(Random& random, std::size_t low, std::size_t high) {
  std::size_t doublings = 0;
  while ((low << doublings) < high) ++doublings;
  const std::size_t base = low << random.below(doublings);
  return random.between(base, 2 * base - 1);
}

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_SUPPORT_SIZES_H_
