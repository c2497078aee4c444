// 1000 blocks of one size allocated, then 1000 freed, over and over: a list or a tree that is built
// and dropped. Freed in reverse (a stack), in order (a queue) and in random order (a hash table);
// the order decides how the allocator's own lists and the processor's caches fare.
#include <algorithm>
#include <array>

#include "tests/bench/support/block.h"
#include "tests/bench/support/random.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr std::size_t kBatch = 1000;
constexpr std::size_t kSizes[] = {8, 16, 32, 64, 128, 512, 1024, 4096, 16384, 65536};
constexpr std::size_t kRounds = 1500;
constexpr std::size_t kLargeSize = 4096;    // from here on pages are what costs,
constexpr std::size_t kLargeFraction = 10;  // and fewer rounds are enough

using Order = std::array<std::size_t, kBatch>;

Result run_batches(const Settings& settings, const Order& order) {
  std::array<void*, kBatch> blocks;
  Result result;
  const Stopwatch watch;
  for (const std::size_t size : kSizes) {
    const std::size_t rounds =
        settings.scaled(size < kLargeSize ? kRounds : kRounds / kLargeFraction);
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < kBatch; ++i) {
        blocks[i] = allocate(size);
        stamp(blocks[i], size, i);
      }
      for (const std::size_t i : order) {
        check_stamp(blocks[i], size, i);
        std::free(blocks[i]);
      }
    }
    result.operations += 2 * rounds * kBatch;
  }
  result.seconds = watch.seconds();
  return result;
}

Order in_order() {
  Order order;
  for (std::size_t i = 0; i < kBatch; ++i) order[i] = i;
  return order;
}

}  // namespace

Result batch_lifo(const Settings& settings) {
  Order order = in_order();
  std::reverse(order.begin(), order.end());
  return run_batches(settings, order);
}

Result batch_fifo(const Settings& settings) { return run_batches(settings, in_order()); }

Result batch_random(const Settings& settings) {
  Order order = in_order();
  Random random(settings.seed);
  for (std::size_t i = kBatch - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  return run_batches(settings, order);
}

}  // namespace gabion::bench
