#include "src/backtrace/rule_cache.h"

#include <gtest/gtest.h>

#include <memory>

namespace gabion::backtrace {
namespace {

FrameRule rule_number(uintptr_t n) {
  return {.kind = RuleKind::kFromSp,
          .saved_fp = SavedFp::kAtCfa,
          .cfa_offset = static_cast<int32_t>(n),
          .fp_offset = -16};
}

TEST(RuleCache, IsEmptyAtFirst) {
  const auto cache = std::make_unique<RuleCache>();
  FrameRule rule;
  for (uintptr_t pc = 1; pc < 100'000; ++pc) ASSERT_FALSE(cache->find(pc, rule));
}

TEST(RuleCache, GivesBackWhatWasPutOrNothing) {
  const auto cache = std::make_unique<RuleCache>();
  constexpr uintptr_t kStep = 37, kCount = 100'000, kBase = 0x555555550000;
  size_t found = 0;
  for (uintptr_t n = 0; n < kCount; ++n) {
    cache->insert(kBase + n * kStep, rule_number(n));
    FrameRule rule;
    ASSERT_TRUE(cache->find(kBase + n * kStep, rule));
    ASSERT_EQ(rule, rule_number(n));
  }
  for (uintptr_t n = 0; n < kCount; ++n) {
    FrameRule rule;
    if (!cache->find(kBase + n * kStep, rule)) continue;
    ++found;
    ASSERT_EQ(rule, rule_number(n));
  }
  EXPECT_GT(found, 1000u);
}

}  // namespace
}  // namespace gabion::backtrace
