#include "src/heap/page_heap.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "src/base/build.h"
#include "src/base/rng.h"
#include "src/heap/heap.h"
#include "src/heap/range.h"

namespace gabion::heap {
namespace {

using PageRun = Run;  // within a test, Run is GoogleTest's

constexpr PageWord kUsed = PageWord::of(PageState::kLargeHead);
constexpr PageWord kUsedRest = PageWord::of(PageState::kLargeTail);

PageRun take(uint32_t pages, uint32_t alignment = 1) {
  const PageRun run = allocate_run({pages}, {alignment});
  if (run) {
    Span& span = span_at(run.first);
    span.pages = run.pages;
    span.large = {.size = 0, .side = nullptr};
    mark_run(run.first, run.pages, kUsed, kUsedRest);
  }
  return run;
}

void fill(const PageRun& run, int byte) {
  memset(page_address(run.first), byte, run.pages.bytes());
}

bool reads_zero(const PageRun& run) {
  const auto* bytes = static_cast<const unsigned char*>(page_address(run.first));
  for (size_t i = 0; i < run.pages.bytes(); ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

class PageHeap : public ::testing::Test {
 protected:
  void SetUp() override { set_page_decay(kNeverDecay); }
  void TearDown() override {
    check_invariants();
    purge_pages();
    check_invariants();
    EXPECT_EQ(page_statistics().dirty, 0u);
    EXPECT_EQ(page_statistics().free, page_statistics().mapped);
    set_page_decay(1000);
  }
};

TEST_F(PageHeap, RunsAreDisjointAndFreshOnesAreZero) {
  std::vector<PageRun> runs;
  for (uint32_t n = 1; n <= 200; ++n) {
    const PageRun run = take(n);
    ASSERT_TRUE(run);
    ASSERT_EQ(run.pages.value, n);
    if (run.zero) {
      ASSERT_TRUE(reads_zero(run));
    }
    fill(run, static_cast<int>(n));
    runs.push_back(run);
  }
  for (const PageRun& run : runs) {
    const auto* bytes = static_cast<const unsigned char*>(page_address(run.first));
    EXPECT_EQ(bytes[0], static_cast<unsigned char>(run.pages.value));
    EXPECT_EQ(bytes[run.pages.bytes() - 1], static_cast<unsigned char>(run.pages.value));
  }
  check_invariants();
  for (const PageRun& run : runs) free_run(run.first, run.pages, false);
}

TEST_F(PageHeap, NeighboursMergeInEveryOrder) {
  for (int order = 0; order < 6; ++order) {
    const PageRun all = take(12);
    const PageId a = all.first;
    const PageId b = a + PageCount{4};
    const PageId c = b + PageCount{4};
    const PageId parts[] = {a, b, c};
    const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i : orders[order]) {
      free_run(parts[i], {4}, false);
      // The pieces that are still in use must look like runs of their own to the checker.
    }
    check_invariants();
    const PageRun again = take(12);
    EXPECT_EQ(again.first.value, all.first.value);
    free_run(again.first, again.pages, false);
  }
}

TEST_F(PageHeap, DirtyRunsAreReusedBeforeCleanOnes) {
  const PageRun dirty = take(8);
  const PageRun wall = take(1);
  fill(dirty, 7);
  free_run(dirty.first, dirty.pages, false);
  const PageRun again = take(8);
  EXPECT_EQ(again.first.value, dirty.first.value);
  EXPECT_FALSE(again.zero);
  free_run(again.first, again.pages, false);
  free_run(wall.first, wall.pages, false);
}

TEST_F(PageHeap, PurgedRunsReadAsZero) {
  const PageRun run = take(64);
  fill(run, 9);
  free_run(run.first, run.pages, false);
  EXPECT_GE(page_statistics().dirty, run.pages.bytes());
  EXPECT_TRUE(purge_pages());
  EXPECT_EQ(page_statistics().dirty, 0u);
  const PageRun again = take(64);
  EXPECT_TRUE(again.zero);
  EXPECT_TRUE(reads_zero(again));
  free_run(again.first, again.pages, true);
}

TEST_F(PageHeap, DecayWaitsForItsAge) {
  set_page_decay(200);
  const PageRun run = take(32);
  fill(run, 1);
  free_run(run.first, run.pages, false);
  decay_pages();
  EXPECT_GE(page_statistics().dirty, run.pages.bytes());
  struct timespec pause = {0, 300'000'000};
  nanosleep(&pause, nullptr);
  decay_pages();
  EXPECT_EQ(page_statistics().dirty, 0u);
}

TEST_F(PageHeap, ExtendsIntoFreePagesAndPastTheFrontier) {
  PageRun run = take(4);
  const PageRun behind = take(4);
  EXPECT_FALSE(extend_run(run.first + run.pages, {1})) << "the pages behind are in use";
  free_run(behind.first, behind.pages, false);
  const PageRun more = extend_run(run.first + run.pages, {2});
  ASSERT_TRUE(more);
  EXPECT_EQ(more.first.value, run.first.value + 4);
  // Beyond everything that is mapped: the range grows.
  const PageCount to_frontier = frontier() - (more.first + more.pages);
  const PageRun far = extend_run(more.first + more.pages, to_frontier + PageCount{1000});
  ASSERT_TRUE(far);
  free_run(run.first, {4 + 2 + far.pages.value}, false);
}

TEST_F(PageHeap, AlignsRuns) {
  for (uint32_t alignment = 1; alignment <= 1024; alignment *= 2) {
    const PageRun run = take(3, alignment);
    ASSERT_TRUE(run);
    EXPECT_EQ(base::address_of(page_address(run.first)) % (alignment * kPageSize), 0u);
    free_run(run.first, run.pages, false);
  }
}

TEST_F(PageHeap, RefusesWhatCannotBe) {
  EXPECT_FALSE(allocate_run({kMaxRun.value + 1}));
  EXPECT_FALSE(allocate_run({kMaxRun.value}));
}

TEST_F(PageHeap, AtALimitEveryFittingRunIsFound) {
  if (base::kThreadSanitizer || base::kAddressSanitizer) GTEST_SKIP() << "they map memory too";
  constexpr uint32_t kLonger = 70;
  constexpr uint32_t kShorter = 66;  // in the same list
  const PageRun longer = take(kLonger);
  std::vector<PageRun> runs{take(1)};
  std::vector<PageRun> shorter;
  for (int i = 0; i < 40; ++i) {
    shorter.push_back(take(kShorter));
    runs.push_back(take(1));
  }
  free_run(longer.first, longer.pages, false);  // first in, last in the list
  for (const PageRun& run : shorter) free_run(run.first, run.pages, false);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none{.rlim_cur = 1, .rlim_max = 1};
    if (setrlimit(RLIMIT_AS, &none) != 0) _exit(2);
    while (take(128)) {
    }
    while (take(kLonger + 10)) {
    }
    _exit(take(kLonger) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  for (const PageRun& run : runs) free_run(run.first, run.pages, false);
}

TEST_F(PageHeap, RandomUseKeepsTheInvariants) {
  base::Rng rng(42);
  std::vector<PageRun> runs;
  for (int i = 0; i < 20'000; ++i) {
    if (runs.size() < 300 && rng.below(2) == 0) {
      const uint32_t pages = rng.below(20) == 0 ? 1 + rng.below(1000) : 1 + rng.below(20);
      const PageRun run = take(pages, uint32_t{1} << rng.below(4));
      ASSERT_TRUE(run);
      runs.push_back(run);
    } else if (!runs.empty()) {
      const size_t k = rng.below(static_cast<uint32_t>(runs.size()));
      free_run(runs[k].first, runs[k].pages, false);
      runs[k] = runs.back();
      runs.pop_back();
    }
    if (rng.below(500) == 0) purge_pages();
    if (i % 1000 == 0) check_invariants();
  }
  for (const PageRun& run : runs) free_run(run.first, run.pages, false);
}

}  // namespace
}  // namespace gabion::heap
