// One call, one line: what a caller can see of it, in words that are the same for every allocator.

#ifndef GABION_TESTS_API_SEMANTICS_OBSERVE_H_
#define GABION_TESTS_API_SEMANTICS_OBSERVE_H_

#include <cerrno>
#include <cstddef>
#include <string>

namespace gabion::testing {

// errno before each call: a value that no entry point sets.
inline constexpr int kErrnoBefore = EXDEV;

struct Seen {
  void* result;
  int error;
};

template <typename Call>
Seen observe(Call call) {
  errno = kErrnoBefore;
  void* result = call();
  return {result, errno};
}

// The compiler may not reason about a size or a block from here on.
template <typename T>
T hidden(T value) {
  asm volatile("" : "+r"(value) : : "memory");
  return value;
}

// "kept" or the name of the error.
std::string errno_name(int error);

// A size as people write it: 24, 64Ki, PTRDIFF_MAX, SIZE_MAX-16.
std::string spelled(size_t size);

// "name -> result"
void print(const std::string& name, const std::string& result);

// What was asked for, to be checked against what came.
struct Wanted {
  size_t size;
  size_t alignment = 16;
  bool zero = false;
};

// "block, errno kept, aligned, usable, writable[, zero]" or "null, errno ENOMEM". Writes the block.
std::string judged(const Seen& seen, const Wanted& wanted);

// Fills `size` bytes with a pattern, or tells whether they still hold it. Behind the first 64 KiB
// only some of the bytes are looked at.
void fill(void* block, size_t size);
bool holds_fill(const void* block, size_t size);

// Frees and tells what that did to errno.
std::string freed(void* block);

std::string judged_and_freed(const Seen& seen, const Wanted& wanted);

}  // namespace gabion::testing

#endif  // GABION_TESTS_API_SEMANTICS_OBSERVE_H_
