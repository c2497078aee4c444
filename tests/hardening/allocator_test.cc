// The whole layer over the real heap, called directly: this program's own malloc stays libc's.
#include "src/hardening/allocator.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "src/hardening/statistics.h"
#include "src/hardening/sweep.h"
#include "src/hardening/waiting.h"
#include "src/report/report.h"

namespace gabion::hardening {
namespace {

constexpr bool kChecks = kProfile.records != Records::kNone;
constexpr bool kDebugProfile = kProfile.records == Records::kFull;

[[gnu::noinline]] unsigned char* get(size_t size, AllocationKind kind = AllocationKind::kMalloc) {
  return static_cast<unsigned char*>(allocate(size, kind, GABION_CALL_SITE()));
}
[[gnu::noinline]] unsigned char* get_zeroed(size_t size) {
  return static_cast<unsigned char*>(allocate_zeroed(size, GABION_CALL_SITE()));
}
[[gnu::noinline]] unsigned char* get_aligned(size_t alignment, size_t size,
                                             AllocationKind kind = AllocationKind::kAligned) {
  return static_cast<unsigned char*>(allocate_aligned(alignment, size, kind, GABION_CALL_SITE()));
}
[[gnu::noinline]] void put(void* block, Release how = {}) {
  release(block, how, GABION_CALL_SITE());
}
[[gnu::noinline]] unsigned char* resize(void* block, size_t size) {
  return static_cast<unsigned char*>(reallocate(block, size, GABION_CALL_SITE()));
}

// The program's bytes, hidden from a compiler that sees the misuse coming.
unsigned char* hide(unsigned char* p) {
  asm volatile("" : "+r"(p));
  return p;
}

// How a program with a report ends in this profile.
bool ended_by_report(int status) {
  if (kDebugProfile) return WIFEXITED(status) && WEXITSTATUS(status) == 86;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

#define EXPECT_REPORT(statement, kind) \
  do {                                 \
    if constexpr (kChecks) {           \
      EXPECT_EXIT(                     \
          {                            \
            statement;                 \
            _exit(0);                  \
          },                           \
          ended_by_report, kind);      \
    }                                  \
  } while (false)

TEST(Allocator, EverySizeIsWholeAndUsable) {
  for (size_t size = 0; size <= 5000; ++size) {
    unsigned char* const block = get(size);
    ASSERT_NE(block, nullptr);
    ASSERT_EQ(reinterpret_cast<uintptr_t>(block) % 16, 0u);
    if (kChecks) {
      ASSERT_EQ(usable_size(block), size);
    } else {
      ASSERT_GE(usable_size(block), size);
    }
    memset(block, 'x', usable_size(block));
    put(block);
  }
}

TEST(Allocator, CallocIsZeroAfterAnything) {
  for (int round = 0; round < 3; ++round) {
    for (size_t size = 1; size < 600'000; size = size * 5 / 4 + 1) {
      unsigned char* const dirty = get(size);
      memset(dirty, 'x', size);
      put(dirty);
      unsigned char* const block = get_zeroed(size);
      ASSERT_EQ(std::count(block, block + size, 0), static_cast<ptrdiff_t>(size)) << size;
      memset(block, 'x', size);
      put(block);
    }
    if (kProfile.quarantine) empty_quarantine();
  }
}

TEST(Allocator, EveryAlignment) {
  for (size_t alignment = 1; alignment <= size_t{1} << 22; alignment *= 2) {
    for (const size_t size : {size_t{0}, size_t{1}, size_t{33}, size_t{5000}, size_t{70'000}}) {
      unsigned char* const block = get_aligned(alignment, size);
      ASSERT_NE(block, nullptr);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
      memset(block, 'x', size);
      if (kChecks) {
        ASSERT_EQ(usable_size(block), size);
      }
      unsigned char* const longer = resize(block, size + 1000);
      ASSERT_EQ(std::count(longer, longer + size, 'x'), static_cast<ptrdiff_t>(size));
      memset(longer, 'y', size + 1000);
      put(longer);
    }
  }
}

TEST(Allocator, ReallocKeepsContents) {
  std::mt19937 random(1);
  const size_t sizes[] = {1,       16,      100,       1000,      5000,       100'000,
                          262'144, 300'000, 1'000'000, 5'000'000, 40'000'000, 50'000'000};
  for (int round = 0; round < 3; ++round) {
    size_t size = 10;
    unsigned char* block = get(size);
    std::iota(block, block + size, static_cast<unsigned char>(0));
    for (int i = 0; i < 40; ++i) {
      const size_t next = sizes[random() % std::size(sizes)] + random() % 7;
      block = resize(block, next);
      ASSERT_NE(block, nullptr);
      for (size_t k = 0; k < std::min(size, next); k += 1 + k / 100) {
        ASSERT_EQ(block[k], static_cast<unsigned char>(k)) << size << " to " << next;
      }
      size = next;
      for (size_t k = 0; k < size; ++k) block[k] = static_cast<unsigned char>(k);
    }
    put(block);
  }
}

TEST(Allocator, RandomWorkIsClean) {
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 3; ++seed) {
    threads.emplace_back([seed] {
      std::mt19937 random(seed);
      std::vector<std::pair<unsigned char*, size_t>> blocks(200);
      for (int i = 0; i < 20'000; ++i) {
        auto& [block, size] = blocks[random() % blocks.size()];
        if (block != nullptr) {
          ASSERT_EQ(std::count(block, block + size, static_cast<unsigned char>(size)),
                    static_cast<ptrdiff_t>(size));
        }
        if (block != nullptr && random() % 4 == 0) {
          const size_t next = 1 + random() % 3000;
          block = resize(block, next);
          size = next;
        } else {
          put(block);
          size = random() % 20 == 0 ? random() % 400'000 : random() % 2000;
          block = get(size);
        }
        memset(block, static_cast<unsigned char>(size), size);
      }
      for (auto& [block, size] : blocks) put(block);
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (kChecks) sweep(report::Found::kOnRequest);
  EXPECT_EQ(statistics().reports, 0u);
}

TEST(Allocator, SweepBesideRunningThreadsIsClean) {
  if (!kDebugProfile) return;
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 2; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      std::vector<unsigned char*> blocks(50);
      while (!stop) {
        unsigned char*& block = blocks[random() % blocks.size()];
        if (block != nullptr && random() % 3 == 0) {
          block = resize(block, 1 + random() % 500'000);
        } else {
          put(block);
          block = get(random() % 10 == 0 ? random() % 500'000 : random() % 500);
        }
      }
      for (unsigned char* block : blocks) put(block);
    });
  }
  for (int i = 0; i < 60; ++i) sweep(report::Found::kOnRequest);
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(statistics().reports, 0u);
}

TEST(Allocator, QuarantineIsCounted) {
  if (!kProfile.quarantine) return;
  empty_quarantine();
  EXPECT_EQ(statistics().quarantine_blocks, 0u);
  put(get(100));
  EXPECT_EQ(statistics().quarantine_blocks, 1u);
  EXPECT_GT(statistics().quarantine_bytes, 100u);
  empty_quarantine();
  EXPECT_EQ(statistics().quarantine_bytes, 0u);
}

TEST(Allocator, AbsurdSizesAreRefused) {
  EXPECT_EQ(get(PTRDIFF_MAX), nullptr);
  EXPECT_EQ(get_zeroed(PTRDIFF_MAX), nullptr);
  EXPECT_EQ(get_aligned(size_t{1} << 62, 1), nullptr);
  unsigned char* const block = get(10);
  EXPECT_EQ(resize(block, PTRDIFF_MAX), nullptr);
  memset(block, 'x', 10);
  put(block);
}

TEST(Allocator, FreedAddressIsNotReusedAtOnce) {
  if (!kProfile.quarantine) return;
  std::set<unsigned char*> seen;
  for (int i = 0; i < 1000; ++i) {
    unsigned char* const block = get(64);
    EXPECT_TRUE(seen.insert(block).second);
    put(block);
  }
}

// As the library's constructor does, before anything else.
class StartEnvironment : public testing::Environment {
 public:
  void SetUp() override { start(); }
};
testing::Environment* const environment = testing::AddGlobalTestEnvironment(new StartEnvironment);

using AllocatorDeathTest = testing::Test;

TEST(AllocatorDeathTest, OverflowByOneByteOfEverySize) {
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{7}, size_t{8}, size_t{15}, size_t{16}, size_t{17}, size_t{31},
        size_t{100}, size_t{1000}, size_t{4096}, size_t{70'000}, size_t{1'000'000}}) {
    const auto overflow = [size](unsigned char value) {
      unsigned char* const block = get(size);
      hide(block)[size] = value;
      put(block);
    };
    EXPECT_REPORT(overflow('x'), "heap-buffer-overflow");
    EXPECT_REPORT(overflow(0), "heap-buffer-overflow");
  }
}

TEST(AllocatorDeathTest, Underflow) {
  if (!kDebugProfile) return;
  for (const size_t alignment : {size_t{16}, size_t{64}, size_t{4096}}) {
    for (const ptrdiff_t offset : {-1, -8, -16}) {
      const auto underflow = [=] {
        unsigned char* const block = get_aligned(alignment, 100);
        hide(block)[offset] = 'x';
        put(block);
      };
      EXPECT_REPORT(underflow(), "heap-buffer-underflow");
    }
  }
}

TEST(AllocatorDeathTest, NeighboursAreToldApart) {
  if (!kDebugProfile) return;
  const auto pair = [](size_t size) {
    // Two slots side by side.
    std::vector<unsigned char*> blocks;
    for (int i = 0; i < 64; ++i) blocks.push_back(get(size));
    std::sort(blocks.begin(), blocks.end());
    for (size_t i = 0; i + 1 < blocks.size(); ++i) {
      if (blocks[i + 1] - blocks[i] == 64) return std::pair(blocks[i], blocks[i + 1]);
    }
    return std::pair<unsigned char*, unsigned char*>();
  };
  const auto long_overflow = [&] {
    const auto [low, high] = pair(40);
    memset(hide(low) + 40, 'x', 24);  // all of the tail and the front of the next
    put(high);
  };
  EXPECT_REPORT(long_overflow(), "heap-buffer-overflow");
  const auto long_underflow = [&] {
    const auto [low, high] = pair(40);
    memset(hide(high) - 20, 'x', 20);
    put(low);
  };
  EXPECT_REPORT(long_underflow(), "heap-buffer-underflow");
  const auto overflow_found_at_its_block = [&] {
    const auto [low, high] = pair(40);
    memset(hide(low) + 40, 'x', 15);
    put(low);
  };
  EXPECT_REPORT(overflow_found_at_its_block(), "heap-buffer-overflow.*write of at least 15 bytes");
}

// Through the exit code: a second report would make this fail.
TEST(AllocatorDeathTest, LongOverflowIsOneReport) {
  if (!kDebugProfile) return;
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a new process reads the options anew
  setenv("GABION_OPTIONS", "halt_on_error=0", 1);
  EXPECT_EXIT(
      {
        std::vector<unsigned char*> blocks;
        for (int i = 0; i < 64; ++i) blocks.push_back(get(40));
        std::sort(blocks.begin(), blocks.end());
        for (size_t i = 0; i + 1 < blocks.size(); ++i) {
          if (blocks[i + 1] - blocks[i] != 64) continue;
          memset(hide(blocks[i]) + 40, 'x', 17);
          break;
        }
        for (unsigned char* block : blocks) put(block);
        _exit(static_cast<int>(report::count()));
      },
      testing::ExitedWithCode(1), "heap-buffer-overflow.*write of at least 17 bytes");
  unsetenv("GABION_OPTIONS");
  GTEST_FLAG_SET(death_test_style, "fast");
}

TEST(AllocatorDeathTest, WriteAfterFree) {
  for (const size_t size :
       {size_t{1}, size_t{64}, size_t{1000}, size_t{70'000}, size_t{1'000'000}}) {
    const auto write = [size] {
      unsigned char* const block = get(size);
      put(block);
      hide(block)[size / 2] ^= 0x55;
      empty_quarantine();
    };
    EXPECT_REPORT(write(), "heap-use-after-free");
  }
}

TEST(AllocatorDeathTest, DoubleFree) {
  for (const size_t size : {size_t{0}, size_t{10}, size_t{100'000}, size_t{3'000'000}}) {
    const auto twice = [size] {
      unsigned char* const block = get(size);
      put(block);
      put(hide(block));
    };
    EXPECT_REPORT(twice(), "double-free");
  }
  const auto late = [] {
    unsigned char* const block = get(10);
    put(block);
    empty_quarantine();
    put(hide(block));
  };
  EXPECT_REPORT(late(), "double-free");
}

TEST(AllocatorDeathTest, BadFree) {
  static unsigned char global[64];
  unsigned char local[64];
  const auto inside = [] { put(get(100) + 16); };
  EXPECT_REPORT(inside(), "bad-free");
  EXPECT_REPORT(put(get(100) + 1), "bad-free");
  EXPECT_REPORT(put(global), "bad-free");
  EXPECT_REPORT(put(local), "bad-free");
  EXPECT_REPORT(put(malloc(10)), "bad-free");
  EXPECT_REPORT(put(reinterpret_cast<void*>(uintptr_t{16})), "bad-free");
}

TEST(AllocatorDeathTest, ReallocOfFreed) {
  const auto after = [] {
    unsigned char* const block = get(100);
    put(block);
    resize(hide(block), 200);
  };
  EXPECT_REPORT(after(), "heap-use-after-free");
}

TEST(AllocatorDeathTest, OverflowFoundByRealloc) {
  const auto overflow = [] {
    unsigned char* const block = get(100);
    hide(block)[100] = 0;
    resize(block, 101);
  };
  EXPECT_REPORT(overflow(), "heap-buffer-overflow");
}

TEST(AllocatorDeathTest, Mismatches) {
  EXPECT_REPORT(put(get(8), {.with = AccessKind::kDelete}), "alloc-dealloc-mismatch");
  EXPECT_REPORT(put(get(8, AllocationKind::kNew)), "alloc-dealloc-mismatch");
  EXPECT_REPORT(put(get(8, AllocationKind::kNew), {.with = AccessKind::kDeleteArray}),
                "alloc-dealloc-mismatch");
  EXPECT_REPORT(resize(get(8, AllocationKind::kNew), 10), "alloc-dealloc-mismatch");
  EXPECT_REPORT(
      put(get(8, AllocationKind::kNew), {.with = AccessKind::kDelete, .has_size = true, .size = 9}),
      "new-delete-type-mismatch");
  EXPECT_REPORT(put(get_aligned(64, 8, AllocationKind::kNew), {.with = AccessKind::kDelete}),
                "new-delete-type-mismatch");
}

TEST(AllocatorDeathTest, ExitSweepFindsDamageToLiveAndWaitingBlocks) {
  if (!kDebugProfile) return;
  const auto live = [] {
    hide(get(30))[30] = 'x';
    finish();
  };
  EXPECT_REPORT(live(), "heap-buffer-overflow");
  const auto waiting = [] {
    unsigned char* const block = get(30);
    put(block);
    hide(block)[3] = 'x';
    finish();
  };
  EXPECT_REPORT(waiting(), "heap-use-after-free");
}

TEST(AllocatorDeathTest, GoesOnWhenToldToAndFailsAtTheEnd) {
  if (!kDebugProfile) return;
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a new process reads the options anew
  setenv("GABION_OPTIONS", "halt_on_error=0", 1);
  EXPECT_EXIT(
      {
        unsigned char* const block = get(10);
        put(block);
        put(hide(block));
        put(hide(block));
        unsigned char* const other = get(10);
        hide(other)[-1] = 1;
        hide(other)[10] = 1;
        put(other);
        if (statistics().reports == 4) exit((finish(), 1));
        _exit(2);
      },
      testing::ExitedWithCode(86), "heap-buffer-underflow(.|\n)*heap-buffer-overflow");
  unsetenv("GABION_OPTIONS");
  GTEST_FLAG_SET(death_test_style, "fast");
}

TEST(AllocatorDeathTest, ConcurrentDoubleFreeIsReportedOnce) {
  if (!kDebugProfile) return;
  const auto race = [] {
    for (int i = 0; i < 10'000; ++i) {
      unsigned char* const block = get(10);
      std::thread other([block] { put(hide(block)); });
      put(hide(block));
      other.join();
    }
  };
  EXPECT_REPORT(race(), "double-free");
}

}  // namespace
}  // namespace gabion::hardening
