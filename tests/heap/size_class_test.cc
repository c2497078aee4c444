#include "src/heap/size_class.h"

#include <gtest/gtest.h>

namespace gabion::heap {
namespace {

TEST(SizeClass, EverySizeFallsIntoTheSmallestClassThatHoldsIt) {
  for (size_t size = 0; size <= kMaxSmall; ++size) {
    const SizeClass c = size_class_of(size);
    ASSERT_LT(c, kClassCount);
    ASSERT_GE(kSizeClasses[c].size, size);
    if (c > 0) {
      ASSERT_LT(kSizeClasses[c - 1].size, size);
    }
  }
}

TEST(SizeClass, WastesAtMostAnEighthAbove128Bytes) {
  for (size_t size = 129; size <= kMaxSmall; ++size) {
    const size_t slot = kSizeClasses[size_class_of(size)].size;
    ASSERT_LE((slot - size) * 8, slot) << size;
  }
  EXPECT_LE(kSizeClasses[size_class_of(4097)].size, 4608u);
}

TEST(SizeClass, StepsAreAsDocumented) {
  for (unsigned c = 1; c < kClassCount; ++c) {
    const uint32_t size = kSizeClasses[c].size;
    const uint32_t step = size - kSizeClasses[c - 1].size;
    EXPECT_EQ(step, size <= kFineSteps
                        ? kGranule
                        : (size_t{1} << base::floor_log2(size - 1)) / kStepsPerDoubling);
  }
}

TEST(SizeClass, ReciprocalDividesExactlyWithinASlab) {
  for (unsigned c = 0; c < kClassCount; ++c) {
    const SizeClassInfo& info = kSizeClasses[c];
    const size_t slab = info.slab_pages * kPageSize;
    for (size_t offset = 0; offset < slab; ++offset) {
      ASSERT_EQ(slot_index(static_cast<SizeClass>(c), offset), offset / info.size);
    }
  }
}

TEST(SizeClass, SlabsWasteLittleAndHoldSeveralSlots) {
  for (const SizeClassInfo& info : kSizeClasses) {
    const size_t slab = info.slab_pages * kPageSize;
    EXPECT_EQ(info.slots, slab / info.size);
    EXPECT_GE(info.slots, kMinSlotsPerSlab);
    EXPECT_LE(info.slab_pages, kMaxSlabPages);
    EXPECT_LE((slab - info.slots * info.size) * 16, slab) << info.size;
  }
}

}  // namespace
}  // namespace gabion::heap
