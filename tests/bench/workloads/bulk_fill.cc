// Eight threads allocate 2 GiB in sizes uniform in [384, 12288] and write all of it: a cache or an
// index that is loaded and then stays. It shows what medium sizes waste, how fast fresh memory can
// be had, and what it costs the kernel in mappings. The blocks are then checked and freed; the
// check is not timed.
#include <atomic>
#include <barrier>
#include <thread>

#include "tests/bench/support/block.h"
#include "tests/bench/support/mapped_array.h"
#include "tests/bench/support/process_stats.h"
#include "tests/bench/support/random.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr unsigned kThreads = 8;
constexpr std::size_t kPayload = std::size_t{2} << 30;
constexpr std::size_t kMinSize = 384;
constexpr std::size_t kMaxSize = 12288;

// One thread's blocks. Sizes are drawn again from the seed whenever they are needed, so the books
// hold pointers only.
class Share {
 public:
  Share(std::size_t payload, std::uint64_t seed)
      : seed_(seed), payload_(payload), blocks_(payload / kMinSize + 1) {}

  void allocate_all() {
    Random random(seed_);
    for (std::size_t filled = 0; filled < payload_;) {
      const std::size_t size = random.between(kMinSize, kMaxSize);
      blocks_[count_] = allocate(size);
      fill(blocks_[count_], size, count_);
      ++count_;
      filled += size;
    }
  }
  void check_all() {
    Random random(seed_);
    for (std::size_t i = 0; i < count_; ++i)
      check_fill(blocks_[i], random.between(kMinSize, kMaxSize), i);
  }
  void free_all() {
    for (std::size_t i = 0; i < count_; ++i) std::free(blocks_[i]);
  }
  std::size_t count() const { return count_; }

 private:
  std::uint64_t seed_;
  std::size_t payload_;
  MappedArray<void*> blocks_;
  std::size_t count_ = 0;
};

}  // namespace

Result bulk_fill(const Settings& settings) {
  const unsigned threads = settings.threads_or(kThreads);
  const std::size_t payload = settings.scaled(kPayload);
  std::barrier phase(static_cast<std::ptrdiff_t>(threads) + 1);
  std::atomic<std::uint64_t> blocks = 0;
  std::vector<std::jthread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      Share share(payload / threads, settings.seed + t);
      phase.arrive_and_wait();  // start
      share.allocate_all();
      blocks += share.count();
      phase.arrive_and_wait();  // filled
      phase.arrive_and_wait();  // measured
      share.check_all();
      phase.arrive_and_wait();  // checked
      share.free_all();
      phase.arrive_and_wait();  // freed
    });
  }
  phase.arrive_and_wait();
  const Stopwatch fill_watch;
  phase.arrive_and_wait();
  const double fill_seconds = fill_watch.seconds();
  const ProcessStats full = read_process_stats();
  phase.arrive_and_wait();
  phase.arrive_and_wait();
  const Stopwatch free_watch;
  phase.arrive_and_wait();
  const double free_seconds = free_watch.seconds();
  workers.clear();
  return {.seconds = fill_seconds + free_seconds,
          .operations = 2 * blocks,
          .metrics = {{"fill_seconds", fill_seconds},
                      {"free_seconds", free_seconds},
                      {"rss_over_payload",
                       static_cast<double>(full.rss_kib) * 1024 / static_cast<double>(payload)},
                      {"full_data_kib", static_cast<double>(full.data_kib)},
                      {"full_maps", static_cast<double>(full.maps)},
                      {"rss_after_idle_kib", static_cast<double>(rss_kib_after_idle_second())}}};
}

}  // namespace gabion::bench
