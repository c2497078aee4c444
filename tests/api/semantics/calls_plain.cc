#include <cstdlib>
#include <string>

#include "tests/api/semantics/calls.h"
#include "tests/api/semantics/observe.h"
#include "tests/api/semantics/sizes.h"

namespace gabion::testing {
namespace {

constexpr size_t kCounts[] = {2, 3, 10, 100, 1000};
constexpr size_t kDivisors[] = {2, 3, 4, 6};
constexpr size_t kItemSizes[] = {3, 17, 100, 4096};

void call_malloc(size_t size) {
  const Seen seen = observe([&] { return std::malloc(hidden(size)); });
  print("malloc(" + spelled(size) + ")", judged_and_freed(seen, {.size = size}));
}

void call_calloc(size_t count, size_t size) {
  const Seen seen = observe([&] { return std::calloc(hidden(count), hidden(size)); });
  print("calloc(" + spelled(count) + ", " + spelled(size) + ")",
        judged_and_freed(seen, {.size = count * size, .zero = true}));
}

// calloc gets memory that was used and freed before.
void call_calloc_dirty(size_t size) {
  constexpr size_t kBlocks = 8;
  void* blocks[kBlocks];
  for (void*& block : blocks) {
    block = std::malloc(hidden(size));
    fill(block, size);
  }
  for (void* block : blocks) std::free(hidden(block));
  std::string first;
  bool same = true;
  for (void*& block : blocks) {
    const Seen seen = observe([&] { return std::calloc(1, hidden(size)); });
    block = seen.result;
    const std::string result = judged(seen, {.size = size, .zero = true});
    if (first.empty()) first = result;
    same = same && result == first;
  }
  for (void* block : blocks) std::free(hidden(block));
  print("calloc(1, " + spelled(size) + ") of freed memory",
        first + (same ? "" : ", NOT THE SAME EACH TIME"));
}

void call_realloc_null(size_t size) {
  const Seen seen = observe([&] { return std::realloc(nullptr, hidden(size)); });
  print("realloc(NULL, " + spelled(size) + ")", judged_and_freed(seen, {.size = size}));
}

// How a block that was resized by the call came out; takes care of the block.
std::string resized(void* old, const Seen& seen, size_t from, size_t to) {
  if (seen.result == nullptr) {
    std::string text = judged(seen, {.size = to});
    if (to == 0) return text;  // the old block is gone
    text += holds_fill(hidden(old), from) ? ", old block kept" : ", OLD BLOCK CHANGED";
    return text + ", " + freed(old);
  }
  const bool kept = holds_fill(seen.result, from < to ? from : to);
  const char* contents = kept ? "contents kept, " : "CONTENTS LOST, ";
  return contents + judged_and_freed(seen, {.size = to});
}

void call_realloc(size_t from, size_t to) {
  void* old = std::malloc(hidden(from));
  fill(old, from);
  const Seen seen = observe([&] { return std::realloc(hidden(old), hidden(to)); });
  print("realloc(malloc(" + spelled(from) + "), " + spelled(to) + ")",
        resized(old, seen, from, to));
}

void call_reallocarray(size_t from, size_t count, size_t size) {
  void* old = from == 0 ? nullptr : std::malloc(hidden(from));
  fill(old, from);
  const Seen seen = observe([&] { return reallocarray(hidden(old), hidden(count), hidden(size)); });
  const std::string name =
      from == 0 ? std::string("NULL") : std::string("malloc(" + spelled(from) + ")");
  print("reallocarray(" + name + ", " + spelled(count) + ", " + spelled(size) + ")",
        from == 0 ? judged_and_freed(seen, {.size = count * size})
                  : resized(old, seen, from, count * size));
}

// Two empty blocks are two blocks.
void call_unique() {
  void* first = std::malloc(hidden(size_t{0}));
  void* second = std::malloc(hidden(size_t{0}));
  void* third = std::calloc(hidden(size_t{0}), 8);
  print("empty blocks", first != second && second != third && first != third ? "unique" : "EQUAL");
  std::free(first);
  std::free(second);
  std::free(third);
}

}  // namespace

void call_plain() {
  for (const size_t size : kPossibleSizes) {
    call_malloc(size);
    call_realloc_null(size);
    call_calloc(size, 1);
    if (size != 1) call_calloc(1, size);
    call_calloc_dirty(size);
  }
  for (const size_t size : kImpossibleSizes) {
    call_malloc(size);
    call_realloc_null(size);
    call_calloc(size, 1);
    call_calloc(1, size);
    call_calloc(0, size);
    call_calloc(size, 0);
    call_calloc(size, size);
    for (const size_t from : {size_t{0}, size_t{24}, size_t{5000}, size_t{1} << 20}) {
      call_realloc(from, size);
    }
    call_reallocarray(100, size, 1);
    call_reallocarray(100, 1, size);
    call_reallocarray(100, size, size);
  }
  for (const size_t count : kCounts) {
    for (const size_t size : kItemSizes) call_calloc(count, size);
  }
  for (const size_t divisor : kDivisors) {  // the product overflows, or just does not
    call_calloc(SIZE_MAX / divisor, 3);
    call_reallocarray(0, SIZE_MAX / divisor, 3);
  }
  call_calloc(size_t{1} << 32, size_t{1} << 32);
  call_reallocarray(100, size_t{1} << 32, size_t{1} << 32);
  call_reallocarray(0, 0, 0);
  call_reallocarray(0, 0, 10);
  call_reallocarray(0, 10, 0);
  call_reallocarray(100, 0, 10);
  call_reallocarray(100, 10, 0);
  call_reallocarray(0, 10, 10);
  call_reallocarray(100, 50, 10);
  constexpr size_t kSizes[] = {0,       1,       16,    17,    100,    1000,          1024,
                               4096,    5000,    40000, 70000, 300000, (1 << 20) + 3, 3 << 20,
                               8 << 20, 40 << 20};
  for (const size_t from : kSizes) {
    for (const size_t to : kSizes) call_realloc(from, to);
  }
  call_unique();
  print("free(NULL)", freed(nullptr));
}

}  // namespace gabion::testing
