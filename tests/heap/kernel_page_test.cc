// The heap where the kernel's pages are larger than its own.
#include <gtest/gtest.h>
#include <sys/auxv.h>

#include <cstring>
#include <vector>

#include "src/base/rng.h"
#include "src/heap/heap.h"
#include "src/heap/page_heap.h"
#include "src/heap/range.h"
#include "src/os/memory.h"

constexpr size_t kKernelPage = 65536;

// NOLINTNEXTLINE(bugprone-reserved-identifier): libc's own name for it
extern "C" unsigned long __getauxval(unsigned long type) noexcept;
extern "C" unsigned long getauxval(unsigned long type) noexcept {
  return type == AT_PAGESZ ? kKernelPage : __getauxval(type);
}

namespace gabion::heap {
namespace {

size_t offset_in_kernel_page(const void* p) { return base::address_of(p) % kKernelPage; }

TEST(LargeKernelPages, NoRunEndsWithinOne) {
  ASSERT_EQ(os::page_size(), kKernelPage);
  base::Rng rng(7);
  std::vector<void*> blocks(200);
  for (int i = 0; i < 20'000; ++i) {
    void*& block = blocks[rng.below(200)];
    const size_t size = 1 + rng.below(rng.below(4) == 0 ? 3u << 20 : 100'000);
    if (block == nullptr) {
      block =
          rng.below(2) == 0 ? allocate(size) : allocate_aligned(size_t{16} << rng.below(15), size);
    } else if (rng.below(2) == 0) {
      block = reallocate(block, size);
    } else {
      deallocate(block);
      block = nullptr;
      continue;
    }
    ASSERT_NE(block, nullptr);
    memset(block, 1, 1);
    if (find_block(block).large) {
      ASSERT_EQ(offset_in_kernel_page(block), 0u);
      ASSERT_EQ(usable_size(block), base::align_up(size, kKernelPage));
    }
    if (i % 1000 == 0) {
      purge_pages();
      check_invariants();
    }
  }
  for (void* block : blocks) deallocate(block);
  trim();
  check_invariants();
}

}  // namespace
}  // namespace gabion::heap
