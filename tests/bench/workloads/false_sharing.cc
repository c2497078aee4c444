// Threads that each write many times to one small block, free it and take another. If the allocator
// gives two threads parts of one cache line, each write takes that line from the other processor:
// `active` sharing when both allocated, `passive` when a thread frees a block that it got from
// another thread, whose neighbours that thread still uses, and then allocates. The result is mostly
// the processor's time, and many times longer if lines are shared.
#include <barrier>
#include <cstdint>
#include <thread>

#include "tests/bench/support/block.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr unsigned kThreads = 2;  // more than processors would only take turns
constexpr std::size_t kBlocks = 600'000;
constexpr std::uint64_t kWrites = 2000;
constexpr std::size_t kSize = sizeof(std::uint64_t);

void use(std::uint64_t* counter) {
  volatile std::uint64_t* shared = counter;
  *shared = 0;
  for (std::uint64_t i = 0; i < kWrites; ++i) *shared = *shared + 1;
  require(*shared == kWrites, "a block was written to by another thread");
}

Result run(const Settings& settings, bool passive) {
  const unsigned threads = settings.threads_or(kThreads);
  const std::size_t blocks = settings.scaled(kBlocks);
  std::vector<void*> handed;
  for (unsigned t = 0; t < threads; ++t) handed.push_back(passive ? allocate(kSize) : nullptr);
  std::barrier start(static_cast<std::ptrdiff_t>(threads));
  const Stopwatch watch;
  std::vector<std::jthread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    workers.emplace_back([&, given = handed[t]] {
      start.arrive_and_wait();
      std::free(given);
      for (std::size_t i = 0; i < blocks; ++i) {
        void* block = allocate(kSize);
        use(static_cast<std::uint64_t*>(block));
        std::free(block);
      }
    });
  }
  workers.clear();
  return {.seconds = watch.seconds(), .operations = 2 * threads * blocks};
}

}  // namespace

Result false_sharing_active(const Settings& settings) { return run(settings, false); }
Result false_sharing_passive(const Settings& settings) { return run(settings, true); }

}  // namespace gabion::bench
