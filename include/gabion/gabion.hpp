// Gabion for C++: an allocator for containers and a std::pmr::memory_resource.
//
// Both use malloc, aligned_alloc and C23's sized frees, so that the hardened and debug profiles
// check size and alignment of each block that comes back. They need Gabion linked or preloaded.
//
// Both are stateless: all instances are equal, and memory from one may be freed through another, in
// any thread. A failure throws at once, std::bad_alloc or std::bad_array_new_length; the
// new-handler is not called.
#ifndef GABION_GABION_HPP_
#define GABION_GABION_HPP_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory_resource>
#include <new>

#include "gabion/gabion.h"

namespace gabion {

// What malloc aligns every block to.
inline constexpr std::size_t kDefaultAlignment = 16;

// `alignment` is a power of two. Never null.
[[nodiscard]] inline void* allocate_bytes(std::size_t size, std::size_t alignment) {
  void* const block =
      alignment <= kDefaultAlignment ? std::malloc(size) : std::aligned_alloc(alignment, size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

// The block came from allocate_bytes with the same size and alignment.
inline void free_bytes(void* block, std::size_t size, std::size_t alignment) noexcept {
  if (alignment <= kDefaultAlignment) {
    ::free_sized(block, size);
  } else {
    ::free_aligned_sized(block, alignment, size);
  }
}

// std::vector<int, gabion::Allocator<int>>
template <typename T>
class Allocator {
 public:
  using value_type = T;

  constexpr Allocator() noexcept = default;
  template <typename U>
  constexpr Allocator(const Allocator<U>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return static_cast<T*>(allocate_bytes(count * sizeof(T), alignof(T)));
  }

  void deallocate(T* objects, std::size_t count) noexcept {
    free_bytes(objects, count * sizeof(T), alignof(T));
  }

  template <typename U>
  friend constexpr bool operator==(const Allocator&, const Allocator<U>&) noexcept {
    return true;
  }
};

// std::pmr::vector<int> numbers(gabion::memory_resource());
class MemoryResource final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    return allocate_bytes(size, alignment);
  }

  void do_deallocate(void* block, std::size_t size, std::size_t alignment) override {
    free_bytes(block, size, alignment);
  }

  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;  // programs without RTTI use this too
  }
};

// One for the whole program; never destroyed.
[[nodiscard]] inline std::pmr::memory_resource* memory_resource() {
  static MemoryResource* const resource = new MemoryResource;
  return resource;
}

}  // namespace gabion

#endif  // GABION_GABION_HPP_
