#include "src/backtrace/stack_depot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

namespace gabion::backtrace {
namespace {

std::vector<uintptr_t> stack_number(uintptr_t n, size_t depth) {
  std::vector<uintptr_t> frames(depth);
  for (size_t i = 0; i < depth; ++i) frames[i] = 0x400000 + n * 16 + i;
  return frames;
}

bool equal(Frames a, Frames b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

class StackDepotTest : public ::testing::Test {
 protected:
  std::unique_ptr<StackDepot> owner_ = std::make_unique<StackDepot>();
  StackDepot& depot_ = *owner_;
};

TEST_F(StackDepotTest, NothingIsNoStack) {
  EXPECT_EQ(depot_.put({}), kNoStack);
  EXPECT_TRUE(depot_.get(kNoStack).empty());
  EXPECT_TRUE(depot_.get(12345).empty());
  EXPECT_EQ(depot_.stats().rejected, 0u);
}

TEST_F(StackDepotTest, KeepsEachStackOnce) {
  std::set<StackId> ids;
  for (uintptr_t n = 0; n < 1000; ++n) {
    const auto frames = stack_number(n, 1 + n % kMaxFrames);
    const StackId id = depot_.put(frames);
    ASSERT_NE(id, kNoStack);
    EXPECT_EQ(depot_.put(frames), id);
    EXPECT_TRUE(equal(depot_.get(id), frames));
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 1000u);
  EXPECT_EQ(depot_.stats().stacks, 1000u);
}

TEST_F(StackDepotTest, APrefixIsAnotherStack) {
  const auto frames = stack_number(1, 20);
  const StackId whole = depot_.put(frames);
  const StackId part = depot_.put(Frames(frames).first(19));
  EXPECT_NE(whole, part);
  EXPECT_EQ(depot_.get(part).size(), 19u);
}

TEST_F(StackDepotTest, CutsWhatIsTooLong) {
  const auto frames = stack_number(1, 200);
  const StackId id = depot_.put(frames);
  EXPECT_TRUE(equal(depot_.get(id), Frames(frames).first(kMaxFrames)));
}

TEST_F(StackDepotTest, SurvivesMadeUpIds) {
  for (uintptr_t n = 0; n < 100; ++n) depot_.put(stack_number(n, 30));
  size_t sum = 0;
  for (StackId id = 0; id < 1u << 18; ++id) {
    for (const uintptr_t frame : depot_.get(id)) sum += frame;
  }
  EXPECT_NE(sum, 0u);
  EXPECT_TRUE(depot_.get(~StackId{0}).empty());
}

TEST_F(StackDepotTest, AMillionStacksStayWithinTheCapacity) {
  constexpr size_t kCapacity = 16 << 20;
  depot_.set_capacity(kCapacity);
  ::testing::internal::CaptureStderr();
  StackId first = kNoStack;
  size_t kept = 0;
  for (uintptr_t n = 0; n < 1'000'000; ++n) {
    uintptr_t frames[24];
    for (size_t i = 0; i < std::size(frames); ++i) frames[i] = n * 64 + i;
    const StackId id = depot_.put(frames);
    if (n == 0) first = id;
    kept += id != kNoStack;
  }
  const std::string warning = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(warning.begin(), warning.end(), '\n'), 1) << warning;
  const DepotStats stats = depot_.stats();
  EXPECT_LE(stats.memory, kCapacity);
  EXPECT_GT(stats.memory, kCapacity / 10 * 9);
  EXPECT_EQ(stats.stacks, kept);
  EXPECT_EQ(stats.rejected, 1'000'000 - kept);
  // What is in can still be found.
  uintptr_t frames[24];
  for (size_t i = 0; i < std::size(frames); ++i) frames[i] = i;
  EXPECT_EQ(depot_.put(frames), first);
}

TEST_F(StackDepotTest, TooSmallACapacityKeepsNothing) {
  depot_.set_capacity(4096);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(depot_.put(stack_number(1, 3)), kNoStack);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("depot"), std::string::npos);
  EXPECT_EQ(depot_.stats().memory, 0u);
}

}  // namespace
}  // namespace gabion::backtrace
