// 128 threads each allocate 12 MiB across all size ranges, wait for each other, check and free
// everything, and exit together; then the next 128 come. A server after a burst of requests: what
// matters besides time is how much memory the dead threads leave resident, at once and after one
// idle second, and whether the next burst can use it.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <thread>

#include "tests/bench/support/block.h"
#include "tests/bench/support/process_stats.h"
#include "tests/bench/support/random.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr unsigned kThreads = 128;
constexpr std::size_t kRounds = 3;
constexpr std::size_t kBytesPerRange = std::size_t{2} << 20;
constexpr std::size_t kRangeEnds[] = {16, 128, 1024, 8192, 65536, 524288, 2097152};

Node* allocate_all_ranges(Random& random, std::size_t bytes_per_range, std::uint64_t& operations) {
  Node* list = nullptr;
  for (std::size_t range = 0; range + 1 < std::size(kRangeEnds); ++range) {
    for (std::size_t filled = 0; filled < bytes_per_range;) {
      const std::size_t size = random.between(kRangeEnds[range], kRangeEnds[range + 1] - 1);
      list = new_node(size, random.next(), list);
      filled += size;
      ++operations;
    }
  }
  return list;
}

void free_list(Node* list, std::uint64_t& operations) {
  while (list != nullptr) {
    Node* next = list->next;
    delete_node(list);
    list = next;
    ++operations;
  }
}

}  // namespace

Result thread_burst(const Settings& settings) {
  const unsigned threads = settings.threads_or(kThreads);
  const std::size_t rounds = settings.scaled(kRounds);
  // Less than one round's work means smaller rounds.
  const std::size_t bytes = std::min(kBytesPerRange, settings.scaled(kRounds * kBytesPerRange));
  std::atomic<std::uint64_t> operations = 0;
  const Stopwatch watch;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::barrier full(static_cast<std::ptrdiff_t>(threads));
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t) {
      workers.emplace_back([&, seed = settings.seed + round * threads + t] {
        Random random(seed);
        std::uint64_t own = 0;
        Node* list = allocate_all_ranges(random, bytes, own);
        full.arrive_and_wait();
        free_list(list, own);
        full.arrive_and_wait();
        operations += own;
      });
    }
  }
  const double seconds = watch.seconds();
  const std::uint64_t rss_end = rss_kib();
  return {.seconds = seconds,
          .operations = operations,
          .metrics = {{"rss_after_exit_kib", static_cast<double>(rss_end)},
                      {"rss_after_idle_kib", static_cast<double>(rss_kib_after_idle_second())}}};
}

}  // namespace gabion::bench
