#include "src/hardening/fill.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace gabion::hardening {
namespace {

class Mapping {
 public:
  explicit Mapping(size_t size)
      : size_(size),
        memory_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~Mapping() { munmap(memory_, size_); }
  uintptr_t at(size_t offset) const { return reinterpret_cast<uintptr_t>(memory_) + offset; }
  uint8_t& operator[](size_t offset) { return static_cast<uint8_t*>(memory_)[offset]; }
  size_t resident_pages() const {
    unsigned char resident[4096] = {};
    mincore(memory_, size_, resident);
    size_t n = 0;
    for (const unsigned char r : resident) n += r & 1;
    return n;
  }

 private:
  size_t size_;
  void* memory_;
};

TEST(Fill, FreshIsBounded) {
  Mapping memory(8192);
  fill_fresh({memory.at(100), memory.at(300)}, 50);
  for (size_t i = 0; i < 400; ++i) EXPECT_EQ(memory[i], i >= 100 && i < 150 ? kFreshByte : 0) << i;
  fill_fresh({memory.at(100), memory.at(300)}, 5000);
  for (size_t i = 0; i < 400; ++i) EXPECT_EQ(memory[i], i >= 100 && i < 300 ? kFreshByte : 0) << i;
}

TEST(Fill, DamageToSmallBlocksIsByteExact) {
  Mapping memory(8192);
  for (size_t size = 0; size < 200; ++size) {
    const ByteRange block{memory.at(16), memory.at(16 + size)};
    fill_freed(block);
    EXPECT_TRUE(find_freed_damage(block).empty());
    for (size_t i = 0; i < size; ++i) {
      EXPECT_EQ(freed_byte(block, memory.at(16 + i)), kFreedByte);
      memory[16 + i] = 'x';
      EXPECT_EQ(find_freed_damage(block), (ByteRange{memory.at(16 + i), memory.at(17 + i)}));
      memory[16 + i] = kFreedByte;
    }
  }
}

TEST(Fill, LargeBlocksGivePagesBack) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t size = kGiveBackSize + 4 * page;
  Mapping memory(size);
  memset(&memory[0], 1, size);
  const ByteRange block{memory.at(16), memory.at(size - 100)};
  fill_freed(block);
  EXPECT_EQ(memory.resident_pages(), 2u);
  EXPECT_TRUE(find_freed_damage(block).empty());
  EXPECT_EQ(memory.resident_pages(), 2u) << "looking at it brings no page back";
  EXPECT_EQ(memory[0], 1);
  EXPECT_EQ(memory[15], 1);
  EXPECT_EQ(memory[16], kFreedByte);
  EXPECT_EQ(memory[size - 101], kFreedByte);
  EXPECT_EQ(memory[size - 100], 1);
  EXPECT_EQ(freed_byte(block, memory.at(10 * page)), 0);

  // Read: resident, but as it was.
  EXPECT_EQ(*const_cast<volatile uint8_t*>(&memory[5 * page]), 0);
  EXPECT_TRUE(find_freed_damage(block).empty());

  memory[20 * page + 7] = 1;
  EXPECT_EQ(find_freed_damage(block),
            (ByteRange{memory.at(20 * page + 7), memory.at(20 * page + 8)}));
  memory[17] = 'x';
  memory[size - 101] = 'x';
  EXPECT_EQ(find_freed_damage(block), (ByteRange{memory.at(17), memory.at(size - 100)}));
}

}  // namespace
}  // namespace gabion::hardening
