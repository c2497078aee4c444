#include "src/hardening/slot_record.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace gabion::hardening {
namespace {

using report::AllocationKind;

constexpr AllocationKind kKinds[] = {AllocationKind::kMalloc, AllocationKind::kAligned,
                                     AllocationKind::kNew, AllocationKind::kNewArray};
constexpr State kStates[] = {State::kUnused, State::kLive, State::kBusy, State::kWaiting,
                             State::kFreed};

// Side bytes as the heap gives them: zero.
template <typename Record>
struct Side {
  alignas(16) std::byte bytes[sizeof(Record)] = {};
  Record& record() { return *reinterpret_cast<Record*>(bytes); }
};

template <typename Record>
class SlotRecordTest : public testing::Test {};
using RecordTypes = testing::Types<FullRecord, StateRecord>;
TYPED_TEST_SUITE(SlotRecordTest, RecordTypes);

TYPED_TEST(SlotRecordTest, ZeroIsUnused) {
  Side<TypeParam> side;
  EXPECT_EQ(side.record().facts(64).state, State::kUnused);
}

TYPED_TEST(SlotRecordTest, KeepsFacts) {
  Side<TypeParam> side;
  for (const AllocationKind kind : kKinds) {
    for (size_t alignment = 0; alignment <= size_t{1} << 46;
         alignment = alignment * 2 + !alignment) {
      for (size_t size = 0; size < 4096; size = size * 3 + 1) {
        Facts facts{.state = State::kLive,
                    .kind = kind,
                    .alignment = Alignment::given_as(alignment),
                    .size = size};
        side.record().begin_life(facts, {}, 4096);
        const Facts kept = side.record().facts(4096);
        facts.generation = kept.generation;
        ASSERT_EQ(kept, facts);
        ASSERT_EQ(kept.alignment.given(), alignment != 0);
        ASSERT_EQ(kept.alignment.bytes(), alignment == 0 ? 16 : alignment);
      }
    }
  }
}

TYPED_TEST(SlotRecordTest, ChangesStateAlone) {
  Side<TypeParam> side;
  side.record().begin_life({.state = State::kLive, .kind = AllocationKind::kNew, .size = 77}, {},
                           96);
  for (const State state : kStates) {
    const Facts before = side.record().facts(96);
    ASSERT_TRUE(side.record().change(before, before.in(state), 96));
    EXPECT_EQ(side.record().facts(96), before.in(state));
  }
}

TYPED_TEST(SlotRecordTest, RefusesAChangeFromAnotherState) {
  Side<TypeParam> side;
  side.record().begin_life({.state = State::kLive, .size = 77}, {}, 96);
  const Facts live = side.record().facts(96);
  ASSERT_TRUE(side.record().change(live, live.in(State::kWaiting), 96));
  EXPECT_FALSE(side.record().change(live, live.in(State::kWaiting), 96));
  EXPECT_EQ(side.record().facts(96).state, State::kWaiting);
}

TEST(FullRecord, TellsLivesApart) {
  Side<FullRecord> side;
  const Facts facts{.state = State::kLive, .size = 10};
  side.record().begin_life(facts, {}, 32);
  const Facts first = side.record().facts(32);
  side.record().begin_life(facts, {}, 32);
  EXPECT_NE(side.record().facts(32), first);
}

TEST(FullRecord, KeepsLargestSizeAndEvents) {
  Side<FullRecord> side;
  side.record().begin_life({.state = State::kLive, .size = heap::kMaxSize}, {7, 8}, 0);
  EXPECT_EQ(side.record().facts(0).size, heap::kMaxSize);
  EXPECT_EQ(side.record().allocated().stack, 7u);
  EXPECT_EQ(side.record().allocated().thread, 8u);
  EXPECT_EQ(side.record().freed().stack, backtrace::kNoStack);
  side.record().set_freed({9, 10});
  EXPECT_EQ(side.record().freed().stack, 9u);
  EXPECT_EQ(side.record().freed().thread, 10u);
}

TEST(FullRecord, OfManyThreadsOneSucceeds) {
  Side<FullRecord> side;
  for (int round = 0; round < 200; ++round) {
    side.record().begin_life({.state = State::kLive, .size = 10}, {}, 32);
    const Facts live = side.record().facts(32);
    std::atomic<int> winners{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back(
          [&] { winners += side.record().change(live, live.in(State::kBusy), 32); });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(winners, 1);
  }
}

TEST(StateRecord, LargestSlackCountsAsSize) {
  Side<StateRecord> side;
  const size_t slot = size_t{64} << 20;
  for (const size_t size : {slot, slot - 1, slot - StateRecord::kMaxSlack}) {
    side.record().begin_life({.state = State::kLive, .size = size}, {}, slot);
    EXPECT_EQ(side.record().facts(slot).size, size);
  }
  side.record().begin_life({.state = State::kLive, .size = 100}, {}, slot);
  const Facts facts = side.record().facts(slot);
  EXPECT_EQ(facts.size, slot - StateRecord::kMaxSlack);
  EXPECT_TRUE(side.record().change(facts, facts.in(State::kBusy), slot));
}

}  // namespace
}  // namespace gabion::hardening
