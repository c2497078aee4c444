// Fill 192 MiB with blocks of one size, free 90 % of them at random, fill up with blocks of another
// size, and so on: a long-running program that changes what it does. Survivors keep pages from
// being used for other sizes; the metrics are resident over live bytes, full and thinned out, and
// what stays resident when all is freed, at once and one idle second later.
#include <algorithm>

#include "tests/bench/support/block.h"
#include "tests/bench/support/process_stats.h"
#include "tests/bench/support/random.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr std::size_t kLiveBytes = std::size_t{192} << 20;
constexpr std::size_t kSizes[] = {40, 264, 96, 1000, 48, 3000};
constexpr unsigned kFreedPercent = 90;

class Blocks {
 public:
  explicit Blocks(std::uint64_t seed) : random_(seed) {}

  void fill_up(std::size_t size, std::size_t live_bytes) {
    while (live_bytes_ < live_bytes) {
      list_ = new_node(size, random_.next(), list_);
      live_bytes_ += size;
      ++operations_;
    }
  }
  void thin_out(unsigned percent) {
    for (Node** link = &list_; *link != nullptr;) {
      Node* node = *link;
      if (random_.chance(percent)) {
        *link = node->next;
        live_bytes_ -= node->size;
        delete_node(node);
        ++operations_;
      } else {
        link = &node->next;
      }
    }
  }
  double rss_over_live() const {
    return static_cast<double>(rss_kib()) * 1024 / static_cast<double>(live_bytes_);
  }
  std::uint64_t operations() const { return operations_; }

 private:
  Random random_;
  Node* list_ = nullptr;
  std::size_t live_bytes_ = 0;
  std::uint64_t operations_ = 0;
};

}  // namespace

Result fragmentation(const Settings& settings) {
  Blocks blocks(settings.seed);
  double worst_full = 0;
  double worst_thin = 0;
  const Stopwatch watch;
  for (const std::size_t size : kSizes) {
    blocks.fill_up(size, settings.scaled(kLiveBytes));
    worst_full = std::max(worst_full, blocks.rss_over_live());
    blocks.thin_out(kFreedPercent);
    worst_thin = std::max(worst_thin, blocks.rss_over_live());
  }
  blocks.thin_out(100);
  const double seconds = watch.seconds();
  const std::uint64_t rss_freed = rss_kib();
  return {.seconds = seconds,
          .operations = blocks.operations(),
          .metrics = {{"rss_over_live_full", worst_full},
                      {"rss_over_live_thinned", worst_thin},
                      {"rss_freed_kib", static_cast<double>(rss_freed)},
                      {"rss_after_idle_kib", static_cast<double>(rss_kib_after_idle_second())}}};
}

}  // namespace gabion::bench
