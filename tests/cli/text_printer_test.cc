#include "src/cli/text_printer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gabion::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Bug bug() {
  Bug bug;
  bug.count = 1;
  bug.pids = {7};
  bug.report.pid = 7;
  bug.report.program = "/p";
  bug.report.kind = "heap-buffer-overflow";
  bug.report.message = "plain words";
  bug.report.address = 0x100a;
  bug.report.block = Block{0x1000, 10, 10, "malloc", "live", 16};
  return bug;
}

TEST(TextPrinter, WithoutAnything) {
  Bug bare;
  bare.report.kind = "k";
  EXPECT_EQ(print_text(bare),
            "=================================================================\n"
            "==0==ERROR: Gabion: k\nProgram:  (pid 0)\nSUMMARY: Gabion: k\n");
}

TEST(TextPrinter, PlaceOfTheAddress) {
  Bug b = bug();
  EXPECT_THAT(print_text(b),
              HasSubstr("0x100a is located 0 bytes after 10-byte region [0x1000,0x100a)"));
  b.report.address = 0x100b;
  EXPECT_THAT(print_text(b), HasSubstr("0x100b is located 1 byte after 10-byte region"));
  b.report.address = 0xffe;
  EXPECT_THAT(print_text(b), HasSubstr("0xffe is located 2 bytes before 10-byte region"));
  b.report.address = 0x1004;
  EXPECT_THAT(print_text(b), HasSubstr("0x1004 is located 4 bytes inside of 10-byte region"));
  b.report.address = std::nullopt;
  EXPECT_THAT(print_text(b), HasSubstr("0x100a is located 0 bytes after"));
  b.report.block = Block{0x1000, 0, 0, "malloc", "live", 64};
  EXPECT_THAT(print_text(b), HasSubstr("0x1000 is located 0 bytes inside of 0-byte region "
                                       "[0x1000,0x1000) aligned to 64"));
}

TEST(TextPrinter, DoubleFreeHasItsWords) {
  Bug b = bug();
  b.report.kind = "double-free";
  b.report.access = Access{"free", 0};
  Frame frame;
  frame.pc = 0x10;
  frame.module = "/p";
  frame.offset = 0x5;
  b.report.error_stack = Stack{0, {frame}};
  b.report.free_stack = Stack{1, {}};
  b.report.alloc_stack = Stack{0, {}};
  const std::string text = print_text(b);
  EXPECT_THAT(text,
              HasSubstr("==7==ERROR: Gabion: attempting double-free on address 0x00000000100a "
                        "(plain words)\nfree of 0x00000000100a by thread T0 here:\n"
                        "    #0 0x000000000010 (/p+0x5)\n"));
  EXPECT_THAT(text, HasSubstr("freed by thread T1 here:\n    (no stack is known)\n"));
  EXPECT_THAT(text, HasSubstr("previously allocated by thread T0 here:\n"));
  EXPECT_THAT(text, HasSubstr("SUMMARY: Gabion: double-free (/p+0x5)\n"));
}

TEST(TextPrinter, Mismatch) {
  Bug b = bug();
  b.report.mismatch = Mismatch{"operator new", "operator delete", 8, 1, 64, std::nullopt};
  EXPECT_THAT(print_text(b),
              HasSubstr("Block was allocated with operator new as 8 bytes aligned to "
                        "64 and released with operator delete as 1 byte.\n"));
}

TEST(TextPrinter, Damage) {
  Bug b = bug();
  b.report.damage = Damage{-16, 17, std::string(32, '4') + "45d3", std::string(32, '4') + "d3d3"};
  const std::string text = print_text(b);
  EXPECT_THAT(text, HasSubstr("Damaged: 17 bytes from offset -16 of the block."));
  EXPECT_THAT(text, HasSubstr("\n     -16:  44  44 "));
  EXPECT_THAT(text, HasSubstr("\n      +0: [45] d3 \n     was:  d3  d3 \n"));
  b.report.damage = Damage{0, 1, "4", "xyz"};  // nonsense is shown as far as it goes
  EXPECT_THAT(print_text(b), HasSubstr("Damaged: 1 byte from offset 0"));
}

TEST(TextPrinter, Counts) {
  Bug b = bug();
  EXPECT_THAT(print_text(b), Not(HasSubstr("reported")));
  b.count = 3;
  EXPECT_THAT(print_text(b), HasSubstr("Program: /p (pid 7); reported 3 times\n"));
  b.pids = {7, 8};
  EXPECT_THAT(print_text(b), HasSubstr("; reported 3 times by 2 processes\n"));
  BugList list;
  list.add(std::move(b));
  EXPECT_EQ(print_totals(list), "1 bug in 3 reports of 2 processes");
  EXPECT_EQ(print_totals(BugList()), "0 bugs");
}

}  // namespace
}  // namespace gabion::cli
