// Realistic sizes with realistic lifetimes: three of four blocks die within some tens of
// allocations, most others within some thousands, a few live long. An ordinary program's heap, for
// one thread, for two that share nothing, and with 100 000 blocks alive, where the processor's
// caches no longer hold them and the layout of the heap shows.
#include <thread>

#include "tests/bench/support/block.h"
#include "tests/bench/support/mapped_array.h"
#include "tests/bench/support/random.h"
#include "tests/bench/support/sizes.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr std::size_t kSteps = 16'000'000;
constexpr std::size_t kShort = 32;
constexpr std::size_t kMedium = 2048;
constexpr std::size_t kLong = 10'000;
constexpr std::size_t kManyLong = 100'000;
constexpr unsigned kShortPercent = 75;
constexpr unsigned kMediumPercent = 20;

struct Block {
  void* data;
  std::size_t size;
  std::uint64_t key;
};

void replace(Block& block, std::size_t size, std::uint64_t key) {
  if (block.data != nullptr) {
    check_stamp(block.data, block.size, block.key);
    std::free(block.data);
  }
  block = {allocate(size), size, key};
  stamp(block.data, size, key);
}

// A block lives until its slot is drawn again: the size of a pool is the mean lifetime of its
// blocks.
void live(std::size_t steps, std::size_t long_lived, std::uint64_t seed) {
  Random random(seed);
  MappedArray<Block> slots(kShort + kMedium + long_lived);
  for (Block& block : slots) replace(block, realistic_size(random), random.next());
  for (std::size_t step = 0; step < steps; ++step) {
    std::size_t slot;
    if (random.chance(kShortPercent)) {
      slot = random.below(kShort);
    } else if (random.below(100 - kShortPercent) < kMediumPercent) {
      slot = kShort + random.below(kMedium);
    } else {
      slot = kShort + kMedium + random.below(long_lived);
    }
    replace(slots[slot], realistic_size(random), step);
  }
  for (Block& block : slots) {
    check_stamp(block.data, block.size, block.key);
    std::free(block.data);
  }
}

Result run(const Settings& settings, unsigned threads, std::size_t long_lived) {
  const std::size_t steps = settings.scaled(kSteps);
  const std::size_t blocks = settings.live_or(long_lived);
  const Stopwatch watch;
  if (threads == 1) {
    live(steps, blocks,
         settings.seed);  // many programs never start a thread, and allocators know it
  } else {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t) {
      workers.emplace_back([=, seed = settings.seed + t] { live(steps, blocks, seed); });
    }
  }
  return {.seconds = watch.seconds(), .operations = 2 * threads * (steps + blocks)};
}

}  // namespace

Result lifetimes(const Settings& settings) { return run(settings, settings.threads_or(1), kLong); }

Result lifetimes_2_threads(const Settings& settings) {
  return run(settings, settings.threads_or(2), kLong);
}

Result lifetimes_100k(const Settings& settings) {
  return run(settings, settings.threads_or(1), kManyLong);
}

}  // namespace gabion::bench
