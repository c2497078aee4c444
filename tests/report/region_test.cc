#include "src/report/region.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <thread>

namespace gabion::report {
namespace {

int global = 1;

Region region_of(const void* p) { return classify(reinterpret_cast<uintptr_t>(p)); }

TEST(Region, OfVariables) {
  // Not the address of a variable: AddressSanitizer may keep those elsewhere.
  EXPECT_EQ(region_of(&global), Region::kGlobal);
  EXPECT_EQ(region_of(__builtin_frame_address(0)), Region::kStack);
  EXPECT_EQ(region_of("text"), Region::kGlobal);
  std::thread([] { EXPECT_EQ(region_of(__builtin_frame_address(0)), Region::kStack); }).join();
}

TEST(Region, OfOtherMemory) {
  void* page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_EQ(region_of(page), Region::kMapping);
  munmap(page, 4096);
  EXPECT_EQ(region_of(page), Region::kUnmapped);
  EXPECT_EQ(classify(0), Region::kUnmapped);
  EXPECT_EQ(classify(8), Region::kUnmapped);
  EXPECT_EQ(classify(UINTPTR_MAX), Region::kUnmapped);
  void* end = sbrk(4096);
  ASSERT_NE(end, reinterpret_cast<void*>(-1));
  EXPECT_EQ(region_of(end), Region::kForeignHeap);
}

}  // namespace
}  // namespace gabion::report
