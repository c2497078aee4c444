#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "src/backtrace/stack_depot.h"

namespace gabion::backtrace {
namespace {

// All threads bring the same stacks in different orders: each must be stored once, and be read
// whole by threads that did not store it.
TEST(StackDepotStress, ThreadsAgreeOnIds) {
  constexpr size_t kThreads = 8, kStacks = 20'000, kDepth = 12;
  const auto depot = std::make_unique<StackDepot>();
  std::vector<std::vector<StackId>> ids(kThreads, std::vector<StackId>(kStacks));
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (size_t k = 0; k < kStacks; ++k) {
        const size_t n = t % 2 == 0 ? k : kStacks - 1 - k;
        uintptr_t frames[kDepth];
        for (size_t i = 0; i < kDepth; ++i) frames[i] = n * 100 + i;
        const StackId id = depot->put(frames);
        ids[t][n] = id;
        const Frames kept = depot->get(id);
        ASSERT_EQ(kept.size(), kDepth);
        for (size_t i = 0; i < kDepth; ++i) ASSERT_EQ(kept[i], frames[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 1; t < kThreads; ++t) EXPECT_EQ(ids[t], ids[0]);
  EXPECT_EQ(depot->stats().stacks, kStacks);
}

}  // namespace
}  // namespace gabion::backtrace
