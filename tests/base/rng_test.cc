#include "src/base/rng.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <set>

namespace gabion::base {
namespace {

TEST(Rng, ASeedIsASequence) {
  Rng a(42), b(42), c(43);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t value = a.next();
    EXPECT_EQ(value, b.next());
    differs |= value != c.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Rng, SmallSeedsDoNotRepeat) {
  std::set<uint64_t> seen;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(seen.insert(rng.next()).second);
  }
}

TEST(Rng, BelowIsInRangeAndEven) {
  Rng rng(7);
  constexpr uint32_t kBound = 10;
  int counts[kBound] = {};
  for (int i = 0; i < 100'000; ++i) {
    const uint32_t value = rng.below(kBound);
    ASSERT_LT(value, kBound);
    ++counts[value];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 600);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.below(1), 0u);
}

TEST(Rng, EveryInputBitOfTheMixerMatters) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    const int changed = std::popcount(mix64(12345) ^ mix64(12345 ^ (uint64_t{1} << bit)));
    EXPECT_GT(changed, 12) << bit;
    EXPECT_LT(changed, 52) << bit;
  }
}

}  // namespace
}  // namespace gabion::base
