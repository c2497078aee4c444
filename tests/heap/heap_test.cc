#include "src/heap/heap.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <initializer_list>
#include <set>
#include <thread>
#include <vector>

#include "src/base/build.h"
#include "src/base/rng.h"
#include "src/heap/large.h"
#include "src/heap/registry.h"
#include "src/os/process.h"
#include "tests/heap/test_configuration.h"

namespace gabion::heap {
namespace {

using Sizes = std::initializer_list<size_t>;

class Heap : public ::testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(testing::corruptions, expected_corruptions_);
    testing::corruptions = 0;
    trim();
    check_invariants();
    EXPECT_EQ(statistics().small_in_use, leaked_);
    EXPECT_EQ(statistics().large_in_use, 0u);
  }

  int expected_corruptions_ = 0;
  size_t leaked_ = 0;
};

TEST_F(Heap, EverySmallSizeIsAlignedDistinctAndWritable) {
  std::vector<void*> blocks;
  std::set<void*> distinct;
  for (size_t size = 0; size <= kMaxSmall; size += size < 2048 ? 1 : 97) {
    void* block = allocate(size);
    ASSERT_NE(block, nullptr);
    ASSERT_EQ(base::address_of(block) % kMinAlignment, 0u);
    ASSERT_GE(usable_size(block), size);
    ASSERT_TRUE(distinct.insert(block).second);
    memset(block, 0xa5, usable_size(block));
    blocks.push_back(block);
  }
  for (void* block : blocks) deallocate(block);
}

TEST_F(Heap, LargeBlocksRoundToKernelPages) {
  for (size_t size : Sizes{kMaxSmall + 1, 40'000, size_t{1} << 20, (size_t{5} << 20) + 1}) {
    void* block = allocate(size);
    ASSERT_NE(block, nullptr);
    EXPECT_GE(usable_size(block), size);
    EXPECT_LT(usable_size(block), size + 4096);
    memset(block, 1, usable_size(block));
    deallocate(block);
  }
}

TEST_F(Heap, AlignsEverySizeToEveryAlignment) {
  for (size_t alignment = 1; alignment <= size_t{1} << 22; alignment *= 2) {
    for (size_t size :
         Sizes{0, 1, 15, 16, 17, 100, 1000, 4096, 5000, 16384, 32768, 32769, 70'000}) {
      void* block = allocate_aligned(alignment, size);
      ASSERT_NE(block, nullptr);
      ASSERT_EQ(base::address_of(block) % alignment, 0u) << alignment << ' ' << size;
      ASSERT_GE(usable_size(block), size);
      memset(block, 2, size);
      deallocate(block);
    }
  }
  void* block = allocate_aligned(size_t{1} << 30, 100);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(base::address_of(block) % (size_t{1} << 30), 0u);
  deallocate(block);
}

TEST_F(Heap, ZeroedMemoryIsZeroAfterUse) {
  for (size_t size : Sizes{24, 500, 5000, 33'000, 3'000'000}) {
    for (int i = 0; i < 3; ++i) {
      auto* block = static_cast<unsigned char*>(allocate_zeroed(size));
      for (size_t k = 0; k < size; ++k) ASSERT_EQ(block[k], 0);
      memset(block, 0xff, size);
      deallocate(block);
    }
  }
}

TEST_F(Heap, AbsurdSizesFail) {
  EXPECT_EQ(allocate(kMaxSize + 1), nullptr);
  EXPECT_EQ(allocate(SIZE_MAX), nullptr);
  // All powers of two and their neighbours: page counts must not wrap.
  for (unsigned bits = 42; bits < 64; ++bits) {
    for (ptrdiff_t off : {-16385, -16384, -100, -1, 0, 1, 16384}) {
      const size_t size = (size_t{1} << bits) + static_cast<size_t>(off);
      EXPECT_EQ(allocate(size), nullptr) << size;
      EXPECT_EQ(allocate_aligned(size_t{1} << bits, 1), nullptr);
      EXPECT_EQ(allocate_aligned(4096, size), nullptr);
    }
  }
  void* block = allocate(100'000);
  EXPECT_EQ(reallocate(block, size_t{1} << 46), nullptr);
  EXPECT_EQ(reallocate(block, kMaxSize), nullptr);
  deallocate(block);
  EXPECT_EQ(allocate_zeroed(SIZE_MAX / 2), nullptr);
  EXPECT_EQ(allocate_aligned(4096, SIZE_MAX), nullptr);
  EXPECT_EQ(allocate_aligned(size_t{1} << 62, 1), nullptr);
}

TEST_F(Heap, ReallocateKeepsContents) {
  for (size_t from : Sizes{1, 16, 100, 1000, 20'000, 33'000, 200'000, 3'000'000}) {
    for (size_t to : Sizes{1, 16, 90, 1000, 20'000, 33'000, 200'000, 2'000'000, 9'000'000}) {
      auto* block = static_cast<unsigned char*>(allocate(from));
      for (size_t i = 0; i < from; ++i) block[i] = static_cast<unsigned char>(i * 31);
      auto* moved = static_cast<unsigned char*>(reallocate(block, to));
      ASSERT_NE(moved, nullptr);
      for (size_t i = 0; i < std::min(from, to); ++i) {
        ASSERT_EQ(moved[i], static_cast<unsigned char>(i * 31)) << from << ' ' << to;
      }
      ASSERT_GE(usable_size(moved), to);
      deallocate(moved);
    }
  }
}

TEST_F(Heap, ABufferThatDoublesDoesNotMove) {
  size_t size = size_t{1} << 20;
  void* block = allocate(size);
  int moves = 0;
  while (size < size_t{512} << 20) {
    size *= 2;
    void* const before = block;
    block = reallocate(block, size);
    ASSERT_NE(block, nullptr);
    moves += block != before;
  }
  EXPECT_LE(moves, 3);
  deallocate(block);
}

TEST_F(Heap, ABlockedBufferMovesItsPages) {
  constexpr size_t kSize = size_t{32} << 20;
  auto* block = static_cast<unsigned char*>(allocate(kSize));
  for (size_t i = 0; i < kSize; i += 4096) block[i] = static_cast<unsigned char>(i >> 12);
  void* wall = allocate(kSize);
  auto* moved = static_cast<unsigned char*>(reallocate(block, 2 * kSize));
  ASSERT_NE(moved, nullptr);
  EXPECT_NE(moved, block);
  for (size_t i = 0; i < kSize; i += 4096) ASSERT_EQ(moved[i], static_cast<unsigned char>(i >> 12));
  // What it left behind is clean and can be used again.
  auto* again = static_cast<unsigned char*>(allocate_zeroed(kSize));
  for (size_t i = 0; i < kSize; i += 4096) ASSERT_EQ(again[i], 0);
  memset(again, 1, kSize);
  for (void* p : {static_cast<void*>(moved), wall, static_cast<void*>(again)}) deallocate(p);
}

TEST_F(Heap, FindsBlocksFromAnyPointerIntoThem) {
  for (size_t size : Sizes{16, 100, 3000, 40'000, 3'000'000}) {
    auto* block = static_cast<std::byte*>(allocate(size));
    for (size_t offset : Sizes{size_t{0}, size_t{1}, size / 2, size - 1}) {
      const BlockView view = find_block(block + offset);
      EXPECT_EQ(view.start, block);
      EXPECT_GE(view.size, size);
      EXPECT_TRUE(view.allocated);
      EXPECT_NE(view.side, nullptr);
    }
    deallocate(block);
  }
  int local = 0;
  EXPECT_EQ(find_block(&local).start, nullptr);
  EXPECT_EQ(find_block(nullptr).start, nullptr);
  EXPECT_EQ(find_block(reinterpret_cast<void*>(~uintptr_t{0})).start, nullptr);
}

TEST_F(Heap, SideBytesBelongToTheSlot) {
  std::vector<void*> blocks;
  for (int i = 0; i < 3000; ++i) {
    void* block = allocate(static_cast<size_t>(i) * 37);
    *static_cast<uint64_t*>(side(block)) = base::address_of(block);
    blocks.push_back(block);
  }
  for (void* block : blocks) {
    EXPECT_EQ(*static_cast<uint64_t*>(side(block)), base::address_of(block));
    deallocate(block);
  }
}

TEST_F(Heap, VisitsEveryLiveBlock) {
  std::set<void*> blocks;
  for (size_t i = 0; i < 2000; ++i) {
    void* block = allocate(i * 29);
    *static_cast<uint64_t*>(side(block)) = 0x600d;
    blocks.insert(block);
  }
  std::set<void*> seen;
  visit_blocks(
      [](const BlockView& view, void* context) {
        if (*static_cast<uint64_t*>(view.side) == 0x600d) {
          static_cast<std::set<void*>*>(context)->insert(view.start);
        }
      },
      &seen);
  EXPECT_EQ(seen, blocks);
  for (void* block : blocks) {
    *static_cast<uint64_t*>(side(block)) = 0;
    deallocate(block);
  }
}

TEST_F(Heap, AlternatingAroundABinsEdgeStaysOffTheSlabs) {
  std::vector<void*> blocks;
  for (int i = 0; i < 1000; ++i) blocks.push_back(allocate(64));
  const size_t mapped = statistics().mapped;
  for (int i = 0; i < 10'000; ++i) {
    for (int k = 0; k < 3; ++k) blocks.push_back(allocate(64));
    for (int k = 0; k < 3; ++k) {
      deallocate(blocks.back());
      blocks.pop_back();
    }
  }
  EXPECT_EQ(statistics().mapped, mapped);
  for (void* block : blocks) deallocate(block);
}

TEST_F(Heap, DoubleFreesAreFoundWhenTheCacheEmpties) {
  void* block = allocate(48);
  deallocate(block);
  deallocate(block);
  trim();
  EXPECT_EQ(testing::corruptions, 1);
  EXPECT_EQ(testing::last_corruption.what, Corruption::kDoubleFree);
  expected_corruptions_ = 1;
}

TEST_F(Heap, InvalidPointersAreReportedAndDropped) {
  int local = 0;
  deallocate(&local);
  EXPECT_EQ(testing::last_corruption.what, Corruption::kInvalidPointer);
  auto* large = static_cast<std::byte*>(allocate(100'000));
  deallocate(large + 16);
  EXPECT_EQ(testing::corruptions, 2);
  auto* block = static_cast<std::byte*>(allocate(100));
  deallocate(block + 8);
  trim();
  EXPECT_EQ(testing::corruptions, 3);
  deallocate(large);
  deallocate(large);
  EXPECT_EQ(testing::last_corruption.what, Corruption::kDoubleFree);
  deallocate(block);
  expected_corruptions_ = 4;
}

TEST_F(Heap, BlocksReturnFromOtherThreads) {
  std::vector<void*> blocks;
  for (size_t i = 0; i < 20'000; ++i) blocks.push_back(allocate(i % 600));
  std::thread([&] {
    for (void* block : blocks) deallocate(block);
  }).join();
  const size_t mapped = statistics().mapped;
  for (size_t i = 0; i < 20'000; ++i) blocks[i] = allocate(i % 600);
  EXPECT_EQ(statistics().mapped, mapped) << "what the other thread freed was not used again";
  for (void* block : blocks) deallocate(block);
}

TEST_F(Heap, AThreadThatOnlyFreesDoesNotGrowTheProcess) {
  std::vector<void*> blocks(1000);
  size_t mapped = 0;
  for (int round = 0; round < 200; ++round) {
    for (void*& block : blocks) block = allocate(200);
    std::thread([&] {
      for (void* block : blocks) deallocate(block);
    }).join();
    if (round == 3) mapped = statistics().mapped;
  }
  EXPECT_EQ(statistics().mapped, mapped);
}

TEST_F(Heap, HeapsOfEndedThreadsAreAdopted) {
  size_t heaps = 0;
  for (int i = 0; i < 100; ++i) {
    std::thread([] {
      for (int k = 0; k < 100; ++k) deallocate(allocate(static_cast<size_t>(k) * 50));
    }).join();
    if (i == 0) heaps = statistics().heaps;
  }
  EXPECT_EQ(statistics().heaps, heaps);
}

TEST_F(Heap, BlocksOfEndedThreadsAreCollectedWithoutANewThread) {
  std::vector<void*> blocks(5000);
  std::thread([&] {
    for (void*& block : blocks) block = allocate(1000);
  }).join();
  const size_t before = statistics().dirty;
  for (void* block : blocks) deallocate(block);
  trim();
  EXPECT_EQ(statistics().small_in_use, 0u);
  EXPECT_LE(statistics().dirty, before);
}

TEST_F(Heap, ThreadsThatOnlyFreeInTheirLastBreathLeaveNoHeap) {
  if (base::kThreadSanitizer) GTEST_SKIP() << "its own end of a thread is before the last round";
  start();
  deallocate(allocate(16));  // the heap's own key is made before this one
  static pthread_key_t key;
  ASSERT_EQ(pthread_key_create(&key, [](void* block) { deallocate(block); }), 0);
  const size_t heaps_before = statistics().heaps;
  for (int i = 0; i < 50; ++i) {
    void* block = allocate(100);
    std::thread([block] { pthread_setspecific(key, block); }).join();
  }
  EXPECT_LE(statistics().heaps, heaps_before + 1);
  pthread_key_delete(key);
}

TEST_F(Heap, ForkedChildrenUseTheHeapWhileThreadsAllocate) {
  start();
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&stop, i] {
      base::Rng rng(static_cast<uint64_t>(i));
      while (!stop) deallocate(allocate(rng.below(100'000)));
    });
  }
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      for (size_t k = 0; k < 2000; ++k) deallocate(allocate(k * 61));
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  stop = true;
  for (std::thread& t : threads) t.join();
}

TEST_F(Heap, MetadataIsSmall) {
  std::vector<void*> blocks;
  for (size_t bytes = 0; bytes < size_t{64} << 20;) {
    const size_t size = 16 + bytes % 500;
    blocks.push_back(allocate(size));
    memset(blocks.back(), 1, size);
    bytes += size;
  }
  const Statistics s = statistics();
  // The side bytes of the test (8 a slot) are the layer above's, not the heap's.
  EXPECT_LE(s.metadata - blocks.size() * 8, s.mapped / 25);
  for (void* block : blocks) deallocate(block);
}

}  // namespace
}  // namespace gabion::heap
