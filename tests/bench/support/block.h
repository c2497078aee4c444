#ifndef GABION_TESTS_BENCH_SUPPORT_BLOCK_H_
#define GABION_TESTS_BENCH_SUPPORT_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gabion::bench {

// A benchmark that measured a broken heap must not print a number.
[[noreturn]] inline void fail(const char* what) {
  std::fprintf(stderr, "workloads: %s\n", what);
  std::_Exit(3);
}

inline void require(bool holds, const char* what) {
  if (!holds) [[unlikely]]
    fail(what);
}

// The compiler must believe that someone looks at the block; else it may drop a malloc/free pair.
inline void* opaque(void* block) {
  asm volatile("" : "+r"(block) : : "memory");
  return block;
}

inline void* allocate(std::size_t size) {
  void* block = opaque(std::malloc(size));
  require(block != nullptr, "malloc failed");
  return block;
}

inline void* reallocate(void* block, std::size_t size) {
  void* moved = opaque(std::realloc(block, size));
  require(moved != nullptr, "realloc failed");
  return moved;
}

inline unsigned char key_byte(std::uint64_t key) {
  return static_cast<unsigned char>(key * 151 + 7);
}

// Writes both ends of the block: cheap, and enough to notice blocks that overlap.
inline void stamp(void* block, std::size_t size, std::uint64_t key) {
  auto* bytes = static_cast<unsigned char*>(block);
  bytes[0] = key_byte(key);
  bytes[size - 1] = key_byte(key);
}

inline void check_stamp(const void* block, std::size_t size, std::uint64_t key) {
  const auto* bytes = static_cast<const unsigned char*>(block);
  require(bytes[0] == key_byte(key) && bytes[size - 1] == key_byte(key),
          "a block lost what was written to it");
}

// Writes, and later compares, every byte.
inline void fill(void* block, std::size_t size, std::uint64_t key) {
  std::memset(block, key_byte(key), size);
}

inline void check_fill(const void* block, std::size_t size, std::uint64_t key) {
  const auto* bytes = static_cast<const unsigned char*>(block);
  require(bytes[0] == key_byte(key) && std::memcmp(bytes, bytes + 1, size - 1) == 0,
          "a block lost what was written to it");
}

// A block that says itself how large it is and what the rest of it holds, so that any thread can
// check and free it, and a workload can link its blocks without keeping memory of its own.
struct Node {
  Node* next;
  std::uint32_t size;
  std::uint32_t key;

  unsigned char* rest() { return reinterpret_cast<unsigned char*>(this + 1); }
  std::size_t rest_size() const { return size - sizeof(Node); }
};
inline constexpr std::size_t kMinNodeSize = sizeof(Node);

inline Node* new_node(std::size_t size, std::uint64_t key, Node* next = nullptr) {
  auto* node = static_cast<Node*>(allocate(size));
  node->next = next;
  node->size = static_cast<std::uint32_t>(size);
  node->key = static_cast<std::uint32_t>(key);
  if (node->rest_size() != 0) fill(node->rest(), node->rest_size(), node->key);
  return node;
}

inline void delete_node(Node* node) {
  require(node->size >= kMinNodeSize, "a block lost its header");
  if (node->rest_size() != 0) check_fill(node->rest(), node->rest_size(), node->key);
  std::free(node);
}

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_SUPPORT_BLOCK_H_
