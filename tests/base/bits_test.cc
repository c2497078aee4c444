#include "src/base/bits.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace gabion::base {
namespace {

TEST(Bits, PowersOfTwo) {
  EXPECT_FALSE(is_power_of_two(0u));
  for (unsigned shift = 0; shift < 64; ++shift) {
    const uint64_t power = uint64_t{1} << shift;
    EXPECT_TRUE(is_power_of_two(power));
    EXPECT_EQ(floor_log2(power), shift);
    EXPECT_EQ(ceil_log2(power), shift);
    if (power > 2) {
      EXPECT_FALSE(is_power_of_two(power - 1));
      EXPECT_EQ(floor_log2(power - 1), shift - 1);
      EXPECT_EQ(ceil_log2(power - 1), shift);
    }
  }
  EXPECT_EQ(floor_log2(UINT64_MAX), 63u);
  EXPECT_EQ(ceil_log2(UINT64_MAX), 64u);
  EXPECT_EQ(ceil_log2(uint8_t{255}), 8u);
}

TEST(Bits, Alignment) {
  for (uint64_t alignment = 1; alignment <= 64; alignment *= 2) {
    for (uint64_t value = 0; value < 300; ++value) {
      const uint64_t up = align_up(value, alignment), down = align_down(value, alignment);
      EXPECT_EQ(up % alignment, 0u);
      EXPECT_EQ(down % alignment, 0u);
      EXPECT_TRUE(up >= value && up - value < alignment);
      EXPECT_TRUE(down <= value && value - down < alignment);
    }
  }
  EXPECT_EQ(align_up(UINT64_MAX, uint64_t{16}), 0u);
}

TEST(Bits, Division) {
  EXPECT_EQ(divide_up(0u, 5u), 0u);
  EXPECT_EQ(divide_up(1u, 5u), 1u);
  EXPECT_EQ(divide_up(5u, 5u), 1u);
  EXPECT_EQ(divide_up(6u, 5u), 2u);
}

TEST(Bits, Addresses) {
  int local = 0;
  EXPECT_EQ(pointer_at<int>(address_of(&local)), &local);
}

}  // namespace
}  // namespace gabion::base
