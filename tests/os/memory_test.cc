#include "src/os/memory.h"

#include <gtest/gtest.h>

#include <cstring>

#include "src/base/bits.h"
#include "src/os/probe.h"

namespace gabion::os {
namespace {

constexpr size_t kPages = 4;

class Memory : public ::testing::Test {
 protected:
  void SetUp() override {
    memory_ = static_cast<unsigned char*>(map_anywhere(size_));
    ASSERT_NE(memory_, nullptr);
  }
  void TearDown() override { unmap(memory_, size_); }

  [[nodiscard]] bool holds(const unsigned char* at, unsigned char value) const {
    for (size_t i = 0; i < size_; ++i) {
      if (at[i] != value) return false;
    }
    return true;
  }
  [[nodiscard]] bool readable() const { return is_readable(base::address_of(memory_)); }

  const size_t size_ = kPages * page_size();
  unsigned char* memory_ = nullptr;
};

TEST_F(Memory, IsZeroedAndAligned) {
  EXPECT_TRUE(base::is_power_of_two(page_size()));
  EXPECT_EQ(base::address_of(memory_) % page_size(), 0u);
  EXPECT_TRUE(holds(memory_, 0));
}

TEST_F(Memory, MapAtRefusesATakenAddress) {
  memset(memory_, 0x5a, size_);
  const uintptr_t address = base::address_of(memory_);
  EXPECT_FALSE(map_at(address, size_));
  EXPECT_FALSE(map_at(address + page_size(), page_size()));
  EXPECT_TRUE(holds(memory_, 0x5a));
  unmap(memory_ + page_size(), page_size());
  EXPECT_FALSE(map_at(address, size_));  // partly taken
  ASSERT_TRUE(map_at(address + page_size(), page_size()));
  EXPECT_EQ(memory_[page_size()], 0);
  EXPECT_EQ(memory_[0], 0x5a);
}

TEST_F(Memory, DecommitZeroes) {
  memset(memory_, 0x5a, size_);
  ASSERT_TRUE(decommit(memory_, size_));
  EXPECT_TRUE(holds(memory_, 0));
}

TEST_F(Memory, MovePagesKeepsContentAndLeavesZero) {
  auto* const to = static_cast<unsigned char*>(map_anywhere(size_));
  ASSERT_NE(to, nullptr);
  memset(memory_, 0x5a, size_);
  memset(to, 0xa5, size_);
  if (move_pages(memory_, to, size_)) {
    EXPECT_TRUE(holds(to, 0x5a));
    EXPECT_TRUE(holds(memory_, 0));
    memory_[0] = 1;
    EXPECT_EQ(to[0], 0x5a);
  } else {  // a kernel before 5.7
    EXPECT_TRUE(holds(memory_, 0x5a));
  }
  unmap(to, size_);
}

TEST_F(Memory, MovePagesOfSeveralMappingsMovesAllOrNothing) {
  auto* const to = static_cast<unsigned char*>(map_anywhere(size_));
  ASSERT_NE(to, nullptr);
  memset(memory_, 0x5a, size_);
  memset(to, 0xa5, size_);
  // Mappings of different protection stay apart.
  ASSERT_TRUE(protect_none(memory_, page_size()));
  const bool moved = move_pages(memory_, to, size_);
  ASSERT_TRUE(protect_read_write(memory_, page_size()));
  ASSERT_TRUE(protect_read_write(to, page_size()));
  EXPECT_TRUE(holds(memory_, moved ? 0 : 0x5a));
  EXPECT_TRUE(holds(to, moved ? 0x5a : 0xa5));
  unmap(to, size_);
}

TEST_F(Memory, ProtectionGoesAndComes) {
  memory_[0] = 7;
  EXPECT_TRUE(readable());
  ASSERT_TRUE(protect_none(memory_, size_));
  EXPECT_FALSE(readable());
  ASSERT_TRUE(protect_read_write(memory_, size_));
  EXPECT_TRUE(readable());
  EXPECT_EQ(memory_[0], 7);
}

}  // namespace
}  // namespace gabion::os
