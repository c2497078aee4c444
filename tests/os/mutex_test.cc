#include "src/os/mutex.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace gabion::os {
namespace {

TEST(Mutex, OneThreadAtATime) {
  Mutex mutex(LockRank::kDepot);
  constexpr int kThreads = 4, kRounds = 20'000;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        const MutexLock lock(mutex);
        ++count;
        // Now and then long enough for the others to go to sleep.
        if (round % 1000 == 0) std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, kThreads * kRounds);
}

TEST(Mutex, TryLockDoesNotWait) {
  Mutex mutex(LockRank::kDepot);
  ASSERT_TRUE(mutex.try_lock());
  std::thread([&] { EXPECT_FALSE(mutex.try_lock()); }).join();
  mutex.unlock();
  std::thread([&] {
    ASSERT_TRUE(mutex.try_lock());
    mutex.unlock();
  }).join();
}

TEST(Mutex, LocksNestInTheOrderOfRanks) {
  Mutex low(LockRank::kReport), high(LockRank::kRange);
  EXPECT_LT(low.rank(), high.rank());
  for (int i = 0; i < 2; ++i) {
    const MutexLock first(low);
    const MutexLock second(high);
  }
}

#if defined(GABION_CHECK_LOCK_RANKS)
TEST(MutexDeathTest, TheWrongOrderIsFatal) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Mutex low(LockRank::kReport), high(LockRank::kRange), same(LockRank::kRange);
  const MutexLock held(high);
  EXPECT_DEATH(low.lock(), "");
  EXPECT_DEATH(same.lock(), "");
}
#endif

}  // namespace
}  // namespace gabion::os
