#include "src/hardening/quarantine.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace gabion::hardening {
namespace {

using Entry = Quarantine::Entry;

// What went in and what came out.
class Model {
 public:
  explicit Model(Quarantine::Limits limits) : quarantine_(std::make_unique<Quarantine>()) {
    quarantine_->set_limits(limits);
  }

  void push(uintptr_t slot, size_t cost, uint32_t thread = 0) {
    inside_.insert(slot);
    std::array<Entry, 4> victims;
    take(victims, quarantine_->push({slot, cost}, thread, victims));
    while (quarantine_->has_excess()) take(victims, quarantine_->take_excess(victims));
  }

  void drain() {
    std::array<Entry, 4> victims;
    while (const size_t n = quarantine_->drain(victims)) take(victims, n);
  }

  Quarantine& operator*() { return *quarantine_; }
  Quarantine* operator->() { return quarantine_.get(); }
  const std::set<uintptr_t>& inside() const { return inside_; }
  const std::vector<uintptr_t>& left() const { return left_; }

 private:
  void take(const std::array<Entry, 4>& victims, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ(inside_.erase(victims[i].slot), 1u) << "left twice, or was never there";
      left_.push_back(victims[i].slot);
    }
  }

  std::unique_ptr<Quarantine> quarantine_;
  std::set<uintptr_t> inside_;
  std::vector<uintptr_t> left_;
};

TEST(Quarantine, KeepsToItsBytes) {
  Model model({.bytes = 100'000, .blocks = 1'000'000});
  for (uintptr_t i = 1; i <= 20'000; ++i) {
    model.push(i * 16, 1 + i % 500);
    ASSERT_LE(model->statistics().bytes, 100'000u);
    ASSERT_EQ(model->statistics().blocks, model.inside().size());
  }
  EXPECT_GT(model->statistics().bytes, 90'000u);
}

TEST(Quarantine, KeepsToItsBlocks) {
  Model model({.bytes = size_t{1} << 40, .blocks = 1000});
  for (uintptr_t i = 1; i <= 20'000; ++i) {
    model.push(i * 16, 100);
    ASSERT_LE(model->statistics().blocks, 1000u);
  }
  EXPECT_EQ(model->statistics().blocks, 1000u);
}

TEST(Quarantine, RingGrowsAndKeepsOrder) {
  Model model({.bytes = size_t{1} << 40, .blocks = 50'000});
  for (uintptr_t i = 1; i <= 120'000; ++i) model.push(i * 16, 100);
  EXPECT_EQ(model.left().size(), 70'000u);
  // All but what the random slots held back leaves in the order of arrival, more or less.
  size_t late = 0;
  uintptr_t newest = 0;
  for (const uintptr_t slot : model.left()) {
    late += slot + 16 * 2000 < newest;
    newest = std::max(newest, slot);
  }
  EXPECT_EQ(late, 0u);
  EXPECT_LE(model->statistics().overhead, size_t{2} * 65536 * sizeof(Entry));
}

TEST(Quarantine, WhatLeavesNextIsNotTheOldestForSure) {
  Model model({.bytes = size_t{1} << 40, .blocks = 200});
  for (uintptr_t i = 1; i <= 2000; ++i) model.push(i * 16, 1);
  EXPECT_FALSE(std::is_sorted(model.left().begin(), model.left().end()));
}

TEST(Quarantine, TooLargeComesBackAtOnce) {
  Model model({.bytes = 1000, .blocks = 100});
  model.push(16, 100);
  model.push(32, 501);
  EXPECT_EQ(model.left(), std::vector<uintptr_t>{32});
  EXPECT_EQ(model->statistics().bytes, 100u);
}

TEST(Quarantine, WithoutLimitsNothingWaits) {
  for (const Quarantine::Limits limits : {Quarantine::Limits{.bytes = 0, .blocks = 10},
                                          Quarantine::Limits{.bytes = 10, .blocks = 0}}) {
    Model model(limits);
    model.push(16, 1);
    EXPECT_TRUE(model.inside().empty());
  }
}

TEST(Quarantine, OneLargeEntryDrivesOutManySmall) {
  Model model({.bytes = 10'000, .blocks = 100'000});
  for (uintptr_t i = 1; i <= 1000; ++i) model.push(i * 16, 10);
  model.push(160'000, 5000);
  EXPECT_LE(model->statistics().bytes, 10'000u);
  EXPECT_GE(model.left().size(), 490u);
}

TEST(Quarantine, DrainsAllShards) {
  Model model({.bytes = 100'000, .blocks = 1000});
  for (uintptr_t i = 1; i <= 200; ++i) model.push(i * 16, 10, static_cast<uint32_t>(i));
  model.drain();
  EXPECT_TRUE(model.inside().empty());
  EXPECT_EQ(model->statistics().bytes, 0u);
  EXPECT_EQ(model->statistics().blocks, 0u);
}

TEST(Quarantine, LimitsHoldForAllThreadsTogether) {
  Model model({.bytes = 100'000, .blocks = 1'000'000});
  for (uintptr_t i = 1; i <= 50'000; ++i) model.push(i * 16, 100, static_cast<uint32_t>(i % 7));
  EXPECT_LE(model->statistics().bytes, 100'000u);
  EXPECT_GT(model->statistics().bytes, 90'000u);
}

TEST(Quarantine, IdleThreadsKeepOnlyTheirPart) {
  Model model({.bytes = 100'000, .blocks = 1'000'000});
  for (uint32_t thread = 0; thread < Quarantine::kShards; ++thread) {
    for (uintptr_t i = 1; i <= 5'000; ++i) model.push((thread * 10'000 + i) * 16, 100, thread);
    EXPECT_LE(model->statistics().bytes, 100'000u) << thread;
  }
}

TEST(Quarantine, ThreadsAtOnceLoseNothing) {
  Quarantine quarantine;
  quarantine.set_limits({.bytes = 10'000, .blocks = 500});
  constexpr size_t kPushes = 20'000;
  std::vector<std::vector<uintptr_t>> left(6);
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      std::array<Entry, 4> victims;
      for (size_t i = 0; i < kPushes; ++i) {
        size_t n = quarantine.push({(t * kPushes + i + 1) * 16, 1 + i % 50}, t, victims);
        while (true) {
          for (size_t k = 0; k < n; ++k) left[t].push_back(victims[k].slot);
          if (!quarantine.has_excess()) break;
          n = quarantine.take_excess(victims);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<uintptr_t> all;
  size_t count = 0;
  for (const auto& slots : left) {
    count += slots.size();
    all.insert(slots.begin(), slots.end());
  }
  std::array<Entry, 4> victims;
  while (const size_t n = quarantine.drain(victims)) {
    count += n;
    for (size_t k = 0; k < n; ++k) all.insert(victims[k].slot);
  }
  EXPECT_EQ(count, 6 * kPushes);
  EXPECT_EQ(all.size(), 6 * kPushes);
}

}  // namespace
}  // namespace gabion::hardening
