#include "src/hardening/mismatch.h"

#include <gtest/gtest.h>

namespace gabion::hardening {
namespace {

using report::AccessKind;
using report::AllocationKind;
using report::BugKind;

Facts live(AllocationKind kind, size_t size, size_t alignment = 0) {
  return {.state = State::kLive,
          .kind = kind,
          .alignment = Alignment::given_as(alignment),
          .size = size};
}

TEST(Mismatch, FamiliesDoNotMix) {
  constexpr AllocationKind kKinds[] = {AllocationKind::kMalloc, AllocationKind::kAligned,
                                       AllocationKind::kNew, AllocationKind::kNewArray};
  constexpr AccessKind kReleases[] = {AccessKind::kFree,      AccessKind::kRealloc,
                                      AccessKind::kFreeSized, AccessKind::kFreeAlignedSized,
                                      AccessKind::kDelete,    AccessKind::kDeleteArray};
  const auto family_of_kind = [](AllocationKind kind) {
    return kind == AllocationKind::kNew ? 1 : kind == AllocationKind::kNewArray ? 2 : 0;
  };
  const auto family_of_release = [](AccessKind release) {
    return release == AccessKind::kDelete ? 1 : release == AccessKind::kDeleteArray ? 2 : 0;
  };
  for (const AllocationKind kind : kKinds) {
    for (const AccessKind release : kReleases) {
      const auto found = find_mismatch(live(kind, 8), {.with = release});
      if (family_of_kind(kind) == family_of_release(release)) {
        EXPECT_EQ(found, std::nullopt);
      } else {
        EXPECT_EQ(found, BugKind::kAllocDeallocMismatch);
      }
    }
  }
}

TEST(Mismatch, OnlyTheTrueSizeFits) {
  for (size_t size = 0; size < 300; ++size) {
    for (size_t claimed = 0; claimed < 300; ++claimed) {
      const Release release{.with = AccessKind::kDelete, .has_size = true, .size = claimed};
      EXPECT_EQ(find_mismatch(live(AllocationKind::kNew, size), release).has_value(),
                size != claimed);
    }
    EXPECT_FALSE(find_mismatch(live(AllocationKind::kNew, size), {.with = AccessKind::kDelete}));
  }
}

TEST(Mismatch, DeleteMustNameTheAlignmentOfNew) {
  for (size_t alignment = 0; alignment < 10'000; alignment = alignment * 2 + !alignment) {
    for (size_t claimed = 0; claimed < 10'000; claimed = claimed * 2 + !claimed) {
      const Release release{.with = AccessKind::kDelete, .alignment = claimed};
      EXPECT_EQ(find_mismatch(live(AllocationKind::kNew, 8, alignment), release).has_value(),
                alignment != claimed);
    }
  }
}

TEST(Mismatch, FreeTakesAnyAlignment) {
  EXPECT_FALSE(find_mismatch(live(AllocationKind::kAligned, 8, 4096), {}));
  EXPECT_FALSE(find_mismatch(live(AllocationKind::kAligned, 8, 4096),
                             {.with = AccessKind::kFreeSized, .has_size = true, .size = 8}));
  EXPECT_TRUE(find_mismatch(
      live(AllocationKind::kAligned, 8, 4096),
      {.with = AccessKind::kFreeAlignedSized, .has_size = true, .size = 8, .alignment = 64}));
  EXPECT_FALSE(find_mismatch(
      live(AllocationKind::kMalloc, 8),
      {.with = AccessKind::kFreeAlignedSized, .has_size = true, .size = 8, .alignment = 16}));
}

}  // namespace
}  // namespace gabion::hardening
