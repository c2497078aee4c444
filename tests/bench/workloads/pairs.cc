// malloc and free of one block of one size, over and over, for sizes from 8 bytes to 64 KiB, and
// free(NULL): a temporary in a loop. It is the shortest path an allocator has, and each size shows
// which path that is.
#include <string>

#include "tests/bench/support/block.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr std::size_t kPairs = 5'000'000;
constexpr std::size_t kSizes[] = {8,    16,   32,   64,    128,   512,  1024,
                                  2048, 4096, 8192, 16384, 32768, 65536};

double ns_per_operation(double seconds, std::size_t operations) {
  return seconds * 1e9 / static_cast<double>(operations);
}

}  // namespace

Result pairs(const Settings& settings) {
  const std::size_t count = settings.scaled(kPairs);
  Result result;
  for (const std::size_t size : kSizes) {
    const Stopwatch watch;
    for (std::size_t i = 0; i < count; ++i) {
      void* block = allocate(size);
      stamp(block, size, i);
      check_stamp(opaque(block), size, i);
      std::free(block);
    }
    const double seconds = watch.seconds();
    result.seconds += seconds;
    result.operations += 2 * count;
    result.metrics.push_back({"pair_ns_" + std::to_string(size), ns_per_operation(seconds, count)});
  }
  const Stopwatch watch;
  for (std::size_t i = 0; i < count; ++i) std::free(opaque(nullptr));
  const double seconds = watch.seconds();
  result.seconds += seconds;
  result.operations += count;
  result.metrics.push_back({"free_null_ns", ns_per_operation(seconds, count)});
  return result;
}

}  // namespace gabion::bench
