#include "src/report/text_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/report/bugs.h"

namespace gabion::report {
namespace {

std::string written(const Bug& bug) {
  static char buffer[64 << 10];
  base::Text text{std::span<char>(buffer)};
  const ProcessFacts facts;
  write_text(text, bug, fake_context(facts));
  EXPECT_FALSE(text.truncated());
  return std::string(text.view());
}

TEST(TextWriter, Overflow) {
  const Overflow overflow;
  EXPECT_EQ(written(overflow.bug),
            R"(=================================================================
==123==ERROR: Gabion: heap-buffer-overflow on address 0x7f000000100a (write of at least 1 byte past the end of a 10-byte block, found when it was freed)
WRITE of at least 1 byte at 0x7f000000100a, found when the block was freed by thread T1 here:
    #0 0x000000401139 in main+0x39 (/opt/app+0x1139)
    #1 0x000000401200 in main+0x0 (/opt/app+0x1200)

0x7f000000100a is located 0 bytes after 10-byte region [0x7f0000001000,0x7f000000100a)
allocated by thread T0 here:
    #0 0x000000401050 in make+0x50 (/opt/app+0x1050)

Bytes around the damage, the damaged ones in brackets:
=>0x7f0000001000: 30  31  32  33  34  35  36  37  38  39 [41] d3  d3  d3  d3  d3 

SUMMARY: Gabion: heap-buffer-overflow (/opt/app+0x1139) in main
==123==ABORTING
)");
}

TEST(TextWriter, DoubleFree) {
  Overflow parts;
  parts.block.freed = true;
  Bug bug = parts.bug;
  bug.kind = BugKind::kDoubleFree;
  bug.found = Found::kAtCall;
  bug.access = AccessKind::kFree;
  bug.address = parts.block.address;
  bug.damage = nullptr;
  bug.free = {.known = true, .thread = 2, .frames = parts.alloc_frames};
  EXPECT_EQ(written(bug), R"(=================================================================
==123==ERROR: Gabion: attempting double-free on address 0x7f0000001000 (free of a freed 10-byte block)
free of 0x7f0000001000 by thread T1 here:
    #0 0x000000401139 in main+0x39 (/opt/app+0x1139)
    #1 0x000000401200 in main+0x0 (/opt/app+0x1200)

0x7f0000001000 is located 0 bytes inside of 10-byte region [0x7f0000001000,0x7f000000100a)
freed by thread T2 here:
    #0 0x000000401050 in make+0x50 (/opt/app+0x1050)

previously allocated by thread T0 here:
    #0 0x000000401050 in make+0x50 (/opt/app+0x1050)

SUMMARY: Gabion: double-free (/opt/app+0x1139) in main
==123==ABORTING
)");
}

TEST(TextWriter, BadFreeOfAStackAddress) {
  Bug bug{};
  bug.kind = BugKind::kBadFree;
  bug.address = 0x7ffc00001000;
  bug.region = Region::kStack;
  EXPECT_EQ(written(bug), R"(=================================================================
==123==ERROR: Gabion: bad-free on address 0x7ffc00001000 (free of an address on the stack)
free of 0x7ffc00001000

0x7ffc00001000 is in no block of the heap (region: stack)

SUMMARY: Gabion: bad-free
==123==ABORTING
)");
}

TEST(TextWriter, Mismatches) {
  Overflow parts;
  Bug bug = parts.bug;
  bug.kind = BugKind::kAllocDeallocMismatch;
  bug.found = Found::kAtCall;
  bug.access = AccessKind::kDelete;
  bug.address = parts.block.address;
  bug.damage = nullptr;
  Mismatch mismatch{.allocated_with = AllocationKind::kMalloc,
                    .released_with = AccessKind::kDelete,
                    .allocated_size = 10};
  bug.mismatch = &mismatch;
  std::string text = written(bug);
  EXPECT_NE(text.find("alloc-dealloc-mismatch (malloc vs operator delete) on address"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  allocated with malloc, released with operator delete\n"),
            std::string::npos);

  bug.kind = BugKind::kNewDeleteTypeMismatch;
  mismatch.allocated_with = AllocationKind::kNew;
  mismatch.released_size = 4;
  text = written(bug);
  EXPECT_NE(text.find("(operator delete was told 4 bytes for a block of 10 bytes)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("size of the deallocated type: 4 bytes."), std::string::npos);
}

TEST(TextWriter, DamageInSeveralRowsAndBeforeTheBlock) {
  Overflow parts;
  std::array<uint8_t, 40> dump{}, expected{}, checked{};
  checked.fill(1);
  expected.fill(0xd3);
  dump.fill(0xd3);
  dump[4] = dump[20] = 0;
  parts.damage = {.offset = -16,
                  .length = 17,
                  .dump_address = parts.block.address - 20,
                  .dump = dump,
                  .expected = expected,
                  .checked = checked};
  const std::string text = written(parts.bug);
  EXPECT_EQ(std::count(text.begin(), text.end(), '['), 3) << text;  // two bytes and the region
  EXPECT_NE(text.find("=>0x7f0000000ff0:[00] d3 "), std::string::npos) << text;
  EXPECT_NE(text.find("=>0x7f0000001000:[00] d3 "), std::string::npos) << text;
}

TEST(TextWriter, ATruncatedReportIsNoError) {
  const Overflow overflow;
  for (size_t size = 0; size < 700; size += 7) {
    std::vector<char> buffer(size);
    base::Text text{std::span<char>(buffer)};
    const ProcessFacts facts;
    write_text(text, overflow.bug, fake_context(facts));
    EXPECT_TRUE(text.truncated());
  }
}

}  // namespace
}  // namespace gabion::report
