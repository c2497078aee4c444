#include "src/backtrace/frame_rule.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace gabion::backtrace {
namespace {

TEST(FrameRule, IsUnknownOutsideOfLoadedCode) {
  int local = 0;
  EXPECT_EQ(read_frame_rule(0).kind, RuleKind::kUnknown);
  EXPECT_EQ(read_frame_rule(1).kind, RuleKind::kUnknown);
  EXPECT_EQ(read_frame_rule(UINTPTR_MAX).kind, RuleKind::kUnknown);
  EXPECT_EQ(read_frame_rule(reinterpret_cast<uintptr_t>(&local)).kind, RuleKind::kUnknown);
}

#if defined(__x86_64__)

extern "C" void rule_test_function();
asm(R"(
.text
.type rule_test_function, @function
rule_test_function:
  .cfi_startproc
  nop
  .cfi_adjust_cfa_offset 24
  nop
  .cfi_offset %rbp, -16
  nop
  .cfi_remember_state
  .cfi_def_cfa_register %rbp
  nop
  .cfi_restore_state
  nop
  .cfi_escape 0x0f, 0x03, 0x76, 0x78, 0x06
  .cfi_escape 0x10, 0x06, 0x02, 0x76, 0x00
  nop
  .cfi_def_cfa %rbx, 32
  nop
  .cfi_undefined %rip
  nop
  .cfi_endproc
.size rule_test_function, .-rule_test_function
)");

TEST(FrameRule, FollowsTheRowsOfAFunction) {
  const auto begin = reinterpret_cast<uintptr_t>(&rule_test_function);
  const FrameRule expected[] = {
      {.kind = RuleKind::kFromSp, .cfa_offset = 8},
      {.kind = RuleKind::kFromSp, .cfa_offset = 32},
      {.kind = RuleKind::kFromSp, .saved_fp = SavedFp::kAtCfa, .cfa_offset = 32, .fp_offset = -16},
      {.kind = RuleKind::kFromFp, .saved_fp = SavedFp::kAtCfa, .cfa_offset = 32, .fp_offset = -16},
      {.kind = RuleKind::kFromSp, .saved_fp = SavedFp::kAtCfa, .cfa_offset = 32, .fp_offset = -16},
      {.kind = RuleKind::kFromWordAtFp, .saved_fp = SavedFp::kAtFp, .cfa_offset = -8},
      {},  // a base register that is not followed
      {.kind = RuleKind::kOutermost},
  };
  for (size_t i = 0; i < std::size(expected); ++i) {
    const FrameRule rule = read_frame_rule(begin + i);
    EXPECT_EQ(rule, expected[i]) << i << ": kind " << static_cast<int>(rule.kind) << " cfa "
                                 << rule.cfa_offset << " fp " << rule.fp_offset;
  }
}

// Every instruction of every function that the C library exports either has a rule or is left
// alone; nothing crashes, and nearly all have one.
TEST(FrameRule, ReadsTheWholeCLibrary) {
  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&qsort), &info), 0);
  const auto begin = reinterpret_cast<uintptr_t>(info.dli_fbase);
  size_t known = 0;
  constexpr uintptr_t kSize = 0x180000;
  for (uintptr_t pc = begin; pc < begin + kSize; pc += 5) {
    known += read_frame_rule(pc).kind != RuleKind::kUnknown;
  }
  EXPECT_GT(known, kSize / 5 / 2);
}

#endif

}  // namespace
}  // namespace gabion::backtrace
