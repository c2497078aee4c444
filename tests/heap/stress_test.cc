// Threads that allocate, resize and free at random, also each other's blocks, and that end and are
// replaced all the time. Every block's bytes are verified whenever it changes hands, and the heap's
// invariants at the end. Runs for GABION_STRESS_SECONDS (default 3).
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "src/base/rng.h"
#include "src/heap/heap.h"
#include "tests/heap/test_configuration.h"

namespace gabion::heap {
namespace {

constexpr int kThreads = 8;
constexpr int kLives = 200;       // operations of a thread before another takes its place, / 64
constexpr size_t kShared = 4096;  // blocks that any thread may take

double stress_seconds() {
  const char* text = std::getenv("GABION_STRESS_SECONDS");
  return text != nullptr ? std::atof(text) : 3.0;
}

// A block starts with its size and a seed; the rest is a pattern that depends on both.
struct Header {
  size_t size;
  uint64_t seed;
};

size_t pattern_bytes(size_t size) { return size > 4096 ? 512 : size - sizeof(Header); }

uint8_t pattern(uint64_t seed, size_t i) { return static_cast<uint8_t>(seed + i * 167); }

void write_block(void* block, size_t size, uint64_t seed) {
  *static_cast<Header*>(block) = {size, seed};
  auto* bytes = static_cast<uint8_t*>(block);
  for (size_t i = 0; i < pattern_bytes(size); ++i) {
    bytes[sizeof(Header) + i] = pattern(seed, i);
    if (size > 4096) bytes[size - 1 - i] = pattern(seed, i);
  }
}

bool block_is_whole(const void* block, size_t checked_size) {
  const Header header = *static_cast<const Header*>(block);
  const auto* bytes = static_cast<const uint8_t*>(block);
  const size_t n = std::min(pattern_bytes(header.size), checked_size - sizeof(Header));
  for (size_t i = 0; i < n; ++i) {
    if (bytes[sizeof(Header) + i] != pattern(header.seed, i)) return false;
    if (header.size > 4096 && checked_size == header.size &&
        bytes[header.size - 1 - i] != pattern(header.seed, i)) {
      return false;
    }
  }
  return true;
}

class Stress {
 public:
  void run(double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([this, end, i] {
        uint64_t seed = static_cast<uint64_t>(i) * 1'000'003;
        while (std::chrono::steady_clock::now() < end && failures == 0) {
          std::thread life([this, s = ++seed] { live(s); });
          life.join();
        }
      });
    }
    for (std::thread& t : threads) t.join();
    for (auto& slot : shared_) release(slot.exchange(nullptr));
  }

  std::atomic<int> failures{0};
  std::atomic<uint64_t> operations{0};

 private:
  static size_t random_size(base::Rng& rng) {
    const uint32_t kind = rng.below(1000);
    if (kind < 700) return sizeof(Header) + rng.below(512);
    if (kind < 950) return sizeof(Header) + rng.below(16 * 1024);
    if (kind < 997) return sizeof(Header) + rng.below(200 * 1024);
    return sizeof(Header) + rng.below(4 * 1024 * 1024);
  }

  void expect(bool holds) {
    if (!holds) ++failures;
  }

  void* acquire(base::Rng& rng) {
    const size_t size = random_size(rng);
    void* block = nullptr;
    switch (rng.below(8)) {
      case 0:
        block = allocate_zeroed(size);
        for (size_t i = 0; i < size && block != nullptr; i += 61) {
          expect(static_cast<uint8_t*>(block)[i] == 0);
        }
        break;
      case 1: {
        const size_t alignment = size_t{1} << rng.below(16);
        block = allocate_aligned(alignment, size);
        expect(base::address_of(block) % alignment == 0);
        break;
      }
      default:
        block = allocate(size);
    }
    if (block == nullptr) return nullptr;
    expect(base::address_of(block) % kMinAlignment == 0);
    expect(usable_size(block) >= size);
    write_block(block, size, rng.next());
    return block;
  }

  void release(void* block) {
    if (block == nullptr) return;
    expect(block_is_whole(block, static_cast<Header*>(block)->size));
    deallocate(block);
  }

  void* resize(base::Rng& rng, void* block) {
    const size_t old_size = static_cast<Header*>(block)->size;
    expect(block_is_whole(block, old_size));
    const size_t size = random_size(rng);
    void* moved = reallocate(block, size);
    if (moved == nullptr) return block;
    expect(block_is_whole(moved, std::min(size, old_size)));
    write_block(moved, size, rng.next());
    return moved;
  }

  void live(uint64_t seed) {
    base::Rng rng(seed);
    std::array<void*, 64> mine{};
    for (int i = 0; i < kLives * 64; ++i) {
      void*& own = mine[rng.below(mine.size())];
      std::atomic<void*>& shared = shared_[rng.below(kShared)];
      switch (rng.below(4)) {
        case 0:
          release(own);
          own = acquire(rng);
          break;
        case 1:
          release(shared.exchange(acquire(rng)));
          break;
        case 2:
          own = shared.exchange(own);
          break;
        case 3:
          if (own != nullptr) own = resize(rng, own);
          break;
      }
    }
    // Half of a thread's blocks outlive it.
    for (size_t i = 0; i < mine.size(); ++i) {
      if (i % 2 == 0) {
        release(mine[i]);
      } else {
        release(shared_[rng.below(kShared)].exchange(mine[i]));
      }
    }
    operations += static_cast<uint64_t>(kLives) * 64;
  }

  std::array<std::atomic<void*>, kShared> shared_{};
};

TEST(HeapStress, ThreadsShareAndReplaceBlocks) {
  Stress stress;
  stress.run(stress_seconds());
  EXPECT_EQ(stress.failures, 0);
  EXPECT_EQ(testing::corruptions, 0);
  trim();
  check_invariants();
  const Statistics s = statistics();
  EXPECT_EQ(s.small_in_use, 0u);
  EXPECT_EQ(s.large_in_use, 0u);
  EXPECT_EQ(s.large_count, 0u);
  EXPECT_EQ(s.dirty, 0u);
  std::printf("%llu operations, %zu MiB mapped, %zu KiB metadata, %zu heaps\n",
              static_cast<unsigned long long>(stress.operations), s.mapped >> 20, s.metadata >> 10,
              s.heaps);
}

}  // namespace
}  // namespace gabion::heap
