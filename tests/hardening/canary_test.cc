#include "src/hardening/canary.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <vector>

#include "src/base/rng.h"
#include "src/hardening/layout.h"

namespace gabion::hardening {
namespace {

uintptr_t address(const std::vector<uint8_t>& bytes) {
  return reinterpret_cast<uintptr_t>(bytes.data());
}

TEST(CanaryPattern, NeverEqualsWhatOverflowsWrite) {
  const CanaryPattern pattern(0x123456789abcdef);
  for (uintptr_t at = 0; at < 100'000; ++at) {
    const uint8_t byte = pattern.byte(at);
    ASSERT_NE(byte & 0x80, 0) << at;
    ASSERT_EQ(byte & 0x20, 0) << at;
  }
}

TEST(CanaryPattern, DependsOnAddressAndKey) {
  std::set<uint64_t> words;
  for (uintptr_t at = 0; at < 8000; at += 8) words.insert(CanaryPattern(12345).word(at));
  for (uint64_t i = 0; i < 1000; ++i) words.insert(CanaryPattern(base::mix64(i)).word(0));
  EXPECT_EQ(words.size(), 2000u);
}

TEST(CanaryPattern, ZeroIsExactlyOneByte) {
  const CanaryPattern plain(7);
  for (uintptr_t zero = 64; zero < 80; ++zero) {
    const CanaryPattern pattern(7, zero);
    for (uintptr_t at = 48; at < 112; ++at) {
      ASSERT_EQ(pattern.byte(at), at == zero ? 0 : plain.byte(at)) << zero << ' ' << at;
    }
  }
}

TEST(Canary, WholeAfterWriting) {
  std::vector<uint8_t> memory(128);
  const CanaryPattern pattern(99);
  for (size_t begin = 0; begin < 17; ++begin) {
    for (size_t end = begin; end <= 64; ++end) {
      std::fill(memory.begin(), memory.end(), uint8_t{0});
      const ByteRange range{address(memory) + begin, address(memory) + end};
      write_pattern(range, pattern);
      ASSERT_TRUE(find_damage(range, pattern).empty());
      for (size_t i = 0; i < memory.size(); ++i) {
        const bool inside = i >= begin && i < end;
        ASSERT_EQ(memory[i] != 0, inside) << begin << ' ' << end << ' ' << i;
      }
    }
  }
}

TEST(Canary, DamageIsByteExact) {
  std::vector<uint8_t> memory(96);
  const CanaryPattern pattern(99);
  for (size_t begin = 0; begin < 9; ++begin) {
    const ByteRange range{address(memory) + begin, address(memory) + 60};
    for (size_t first = begin; first < 60; ++first) {
      for (size_t last = first; last < 60; ++last) {
        write_pattern(range, pattern);
        memory[first] = 'x';
        memory[last] = 0;
        const ByteRange expected{address(memory) + first, address(memory) + last + 1};
        ASSERT_EQ(find_damage(range, pattern), expected) << begin << ' ' << first << ' ' << last;
      }
    }
  }
}

constexpr Layout kDebugLayout{.front = true, .tail_limit = 4096};
constexpr Layout kHardenedLayout{.front = false, .tail_limit = 128};

// Every size that a block may have in a slot of its size class, which leaves up to an eighth over.
TEST(Layout, BlockAndCanariesFillTheSlot) {
  constexpr uintptr_t kSlot = 0x7000000;
  for (size_t size = 0; size <= 5000; ++size) {
    for (const Layout& layout : {kDebugLayout, kHardenedLayout}) {
      const size_t request = layout.slot_request(size, 16);
      for (const size_t slot_size : {(request + 15) / 16 * 16, (request * 9 / 8 + 15) / 16 * 16}) {
        const uintptr_t block = kSlot + layout.front_size(16);
        const ByteRange front = layout.front_canary(kSlot, 16);
        const ByteRange tail = layout.tail_canary(block, size, kSlot + slot_size);
        ASSERT_EQ(front.begin, kSlot);
        ASSERT_EQ(front.end, block);
        ASSERT_EQ(tail.begin, block + size);
        ASSERT_GE(tail.size(), 1u);
        ASSERT_LE(tail.end, kSlot + slot_size);
        if (layout.tail_limit == 4096) {
          ASSERT_EQ(tail.end, kSlot + slot_size)
              << "the whole slack of a small slot is canary, size " << size;
        } else {
          ASSERT_EQ(tail.size(), std::min<size_t>(128, slot_size - size)) << size;
        }
      }
    }
  }
}

TEST(Layout, LargeBlocksTouchNoFurtherPage) {
  constexpr uintptr_t kSlot = 0x10000000;
  for (size_t size = 1 << 20; size < (1 << 20) + 10'000; ++size) {
    const uintptr_t block = kSlot + 16;
    const ByteRange tail = kDebugLayout.tail_canary(block, size, kSlot + (2 << 20));
    ASSERT_GE(tail.size(), 64u);
    ASSERT_LE(tail.size(), 4096u);
    if ((block + size) % 4096 <= 4096 - 64) {
      ASSERT_EQ(tail.begin / 4096, (tail.end - 1) / 4096);
    }
  }
}

TEST(Layout, FrontKeepsTheAlignment) {
  for (size_t alignment = 1; alignment <= size_t{1} << 30; alignment *= 2) {
    const size_t front = kDebugLayout.front_size(alignment);
    EXPECT_EQ(front % alignment, 0u);
    EXPECT_EQ(front % 16, 0u);
    EXPECT_EQ(front != 0, alignment <= Layout::kMaxFront);
    EXPECT_LE(kDebugLayout.front_canary(size_t{1} << 30, alignment).size(), 4096u);
    EXPECT_EQ(kHardenedLayout.front_size(alignment), 0u);
  }
}

}  // namespace
}  // namespace gabion::hardening
