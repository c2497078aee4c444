#ifndef GABION_TESTS_BENCH_SUPPORT_MAPPED_ARRAY_H_
#define GABION_TESTS_BENCH_SUPPORT_MAPPED_ARRAY_H_

#include <sys/mman.h>

#include <cstddef>
#include <type_traits>

#include "tests/bench/support/block.h"

namespace gabion::bench {

// Zeroed memory for a workload's own books, mapped directly: it neither exercises nor disturbs the
// allocator under test.
template <typename T>
class MappedArray {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  explicit MappedArray(std::size_t count) : count_(count) {
    void* memory =
        mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(memory != MAP_FAILED, "mmap failed");
    data_ = static_cast<T*>(memory);
  }
  ~MappedArray() { munmap(data_, bytes()); }
  MappedArray(const MappedArray&) = delete;
  MappedArray& operator=(const MappedArray&) = delete;

  T& operator[](std::size_t index) { return data_[index]; }
  std::size_t size() const { return count_; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }

 private:
  std::size_t bytes() const { return count_ * sizeof(T) + 1; }  // mmap refuses 0

  T* data_;
  std::size_t count_;
};

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_SUPPORT_MAPPED_ARRAY_H_
