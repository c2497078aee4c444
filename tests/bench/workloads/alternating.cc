// A load that swings: n blocks allocated and freed, then n + 1, for n around every likely limit of
// a thread's cache. A cache that gives back all it holds, or
// fetches one block at a time, falls off a cliff at its limit; the metric `cliff` is the slowest n
// over the median n, in time per operation.
#include <algorithm>
#include <array>

#include "tests/bench/support/block.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr std::size_t kLoads[] = {1,   2,   4,   6,   7,    8,    12,   15,   16,   24,  31,  32,
                                  48,  63,  64,  96,  100,  127,  128,  199,  200,  255, 256, 400,
                                  511, 512, 768, 900, 1000, 1023, 1024, 1500, 2047, 2048};
constexpr std::size_t kMaxLoad = 2049;
constexpr std::size_t kSizes[] = {32, 256, 2048};
constexpr std::size_t kOperations = 400'000;  // for each load and size

// Fresh memory, and a heap that shrinks when its topmost block is freed, are not what is measured
// here: all that will be needed is allocated once, with a block above it that stays.
void* warm_up(std::array<void*, kMaxLoad>& blocks, std::size_t size) {
  for (void*& block : blocks) block = allocate(size);
  void* topmost = allocate(size);
  for (void* block : blocks) std::free(block);
  return topmost;
}

std::size_t swing(std::array<void*, kMaxLoad>& blocks, std::size_t load, std::size_t size) {
  for (std::size_t i = 0; i < load; ++i) {
    blocks[i] = allocate(size);
    stamp(blocks[i], size, i);
  }
  for (std::size_t i = load; i-- > 0;) {
    check_stamp(blocks[i], size, i);
    std::free(blocks[i]);
  }
  return 2 * load;
}

}  // namespace

Result alternating(const Settings& settings) {
  const std::size_t wanted = settings.scaled(kOperations);
  std::array<void*, kMaxLoad> blocks;
  Result result;
  for (const std::size_t size : kSizes) {
    std::array<double, std::size(kLoads)> ns;
    void* topmost = warm_up(blocks, size);
    for (std::size_t n = 0; n < std::size(kLoads); ++n) {
      const Stopwatch watch;
      std::size_t done = 0;
      while (done < wanted) {
        done += swing(blocks, kLoads[n], size);
        done += swing(blocks, kLoads[n] + 1, size);
      }
      const double seconds = watch.seconds();
      ns[n] = seconds * 1e9 / static_cast<double>(done);
      result.seconds += seconds;
      result.operations += done;
    }
    std::free(topmost);
    std::sort(ns.begin(), ns.end());
    result.metrics.push_back({"cliff_" + std::to_string(size), ns.back() / ns[ns.size() / 2]});
  }
  return result;
}

}  // namespace gabion::bench
