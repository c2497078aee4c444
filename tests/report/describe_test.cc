#include "src/report/describe.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/report/bugs.h"

namespace gabion::report {
namespace {

std::string sentence(const Bug& bug) {
  base::FixedText<256> text;
  describe(text, bug);
  EXPECT_FALSE(text.truncated());
  return std::string(text.view());
}

TEST(Describe, Accesses) {
  Overflow parts;
  Bug bug = parts.bug;
  EXPECT_EQ(sentence(bug),
            "write of at least 1 byte past the end of a 10-byte block, found when it was freed");
  parts.damage.length = 3;
  bug.found = Found::kAtExit;
  EXPECT_EQ(sentence(bug),
            "write of at least 3 bytes past the end of a 10-byte block, found at exit");
  bug.kind = BugKind::kHeapBufferUnderflow;
  bug.found = Found::kOnRealloc;
  EXPECT_EQ(sentence(bug),
            "write of at least 3 bytes before the start of a 10-byte block, found when it was "
            "reallocated");
  parts.block.freed = true;
  bug.kind = BugKind::kHeapUseAfterFree;
  bug.found = Found::kOnEviction;
  EXPECT_EQ(
      sentence(bug),
      "write of at least 3 bytes in a freed 10-byte block, found when it left the quarantine");
  bug.damage = nullptr;
  bug.found = Found::kAtCall;
  bug.access = AccessKind::kRead;
  bug.access_size = 4;
  EXPECT_EQ(sentence(bug), "read of 4 bytes in a freed 10-byte block");
  bug.access = AccessKind::kRealloc;
  EXPECT_EQ(sentence(bug), "realloc of a freed 10-byte block");
}

TEST(Describe, Releases) {
  Overflow parts;
  Bug bug = parts.bug;
  bug.damage = nullptr;
  bug.found = Found::kAtCall;
  bug.kind = BugKind::kBadFree;
  bug.access = AccessKind::kDeleteArray;
  bug.address = parts.block.address + 4;
  EXPECT_EQ(sentence(bug), "operator delete[] of an address 4 bytes inside a 10-byte block");
  bug.block = nullptr;
  for (int region = 0; region <= static_cast<int>(Region::kForeignHeap); ++region) {
    bug.region = static_cast<Region>(region);
    EXPECT_TRUE(sentence(bug).starts_with("operator delete[] of ")) << sentence(bug);
  }
  const Mismatch mismatch{.allocated_with = AllocationKind::kNewArray,
                          .released_with = AccessKind::kDelete,
                          .allocated_size = 8,
                          .released_size = 8,
                          .allocated_alignment = 64,
                          .released_alignment = 16};
  bug.mismatch = &mismatch;
  bug.kind = BugKind::kAllocDeallocMismatch;
  EXPECT_EQ(sentence(bug), "block from operator new[] released with operator delete");
  bug.kind = BugKind::kNewDeleteTypeMismatch;
  EXPECT_EQ(sentence(bug), "operator delete was told alignment 16 for a block with alignment 64");
}

}  // namespace
}  // namespace gabion::report
