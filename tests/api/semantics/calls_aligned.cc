#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tests/api/semantics/calls.h"
#include "tests/api/semantics/observe.h"
#include "tests/api/semantics/sizes.h"

namespace gabion::testing {
namespace {

constexpr size_t kAlignments[] = {
    0,    1,    2,     3,     4,       8,       15,      16,      24,       32,
    48,   64,   100,   128,   256,     512,     1000,    1024,    2048,     4096,
    5000, 8192, 16384, 65536, 1 << 18, 1 << 20, 2 << 20, 4 << 20, 64 << 20, 1 << 30};

constexpr size_t kImpossibleAlignments[] = {size_t{1} << 62, size_t{1} << 63, (size_t{1} << 63) + 1,
                                            SIZE_MAX};

constexpr size_t kSizes[] = {0, 1, 24, 100, 1000, 4096, 5000, 70000, (1 << 20) + 1};

constexpr size_t kResizedFrom[] = {1, 100, 5000, 70000};
constexpr size_t kResizedTo[] = {1, 90, 4096, 70001, 1 << 20};

constexpr size_t kTooLarge[] = {kMaximum - 4096, kMaximum, kMaximum + 1, SIZE_MAX - 4096, SIZE_MAX};

using Aligned = void* (*)(size_t, size_t);

void call_function(const char* name, Aligned function, size_t alignment, size_t size) {
  const Seen seen = observe([&] { return function(hidden(alignment), hidden(size)); });
  print(std::string(name) + "(" + spelled(alignment) + ", " + spelled(size) + ")",
        judged_and_freed(seen, {.size = size, .alignment = alignment}));
}

void call_posix_memalign(size_t alignment, size_t size) {
  static int untouched;
  void* block = &untouched;
  errno = kErrnoBefore;
  const int status = posix_memalign(&block, hidden(alignment), hidden(size));
  const int error = errno;
  const std::string name = "posix_memalign(" + spelled(alignment) + ", " + spelled(size) + ")";
  if (status == 0) {
    print(name, judged_and_freed({block, error}, {.size = size, .alignment = alignment}));
    return;
  }
  std::string result = "returns " + errno_name(status);
  result += block == &untouched ? ", pointer untouched" : ", POINTER CHANGED";
  // POSIX leaves errno open here, and glibc's value is by chance; for EINVAL it is left alone.
  if (status != ENOMEM) result += ", errno " + errno_name(error);
  print(name, result);
}

void call_all(size_t alignment, size_t size) {
  call_function("memalign", memalign, alignment, size);
  call_function("aligned_alloc", aligned_alloc, alignment, size);
  call_posix_memalign(alignment, size);
}

void call_page_aligned(size_t size) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const Seen of_valloc = observe([&] { return valloc(hidden(size)); });
  print("valloc(" + spelled(size) + ")",
        judged_and_freed(of_valloc, {.size = size, .alignment = page}));
  const Seen of_pvalloc = observe([&] { return pvalloc(hidden(size)); });
  // Whole pages are usable.
  const size_t rounded = size > kMaximum ? size : (size + page - 1) / page * page;
  print("pvalloc(" + spelled(size) + ")",
        judged_and_freed(of_pvalloc, {.size = rounded, .alignment = page}));
}

void call_realloc_of_aligned(size_t alignment, size_t from, size_t to) {
  void* old = memalign(hidden(alignment), hidden(from));
  fill(old, from);
  const Seen seen = observe([&] { return std::realloc(hidden(old), hidden(to)); });
  const bool kept = holds_fill(seen.result, from < to ? from : to);
  print("realloc(memalign(" + spelled(alignment) + ", " + spelled(from) + "), " + spelled(to) + ")",
        (kept ? "contents kept, " : "CONTENTS LOST, ") + judged_and_freed(seen, {.size = to}));
}

}  // namespace

void call_aligned() {
  for (const size_t alignment : kAlignments) {
    for (const size_t size : kSizes) call_all(alignment, size);
    for (const size_t size : kTooLarge) call_all(alignment, size);
  }
  for (const size_t alignment : kImpossibleAlignments) {
    for (const size_t size : {size_t{0}, size_t{100}, SIZE_MAX}) call_all(alignment, size);
  }
  for (const size_t size : kPossibleSizes) call_page_aligned(size);
  for (const size_t size : kImpossibleSizes) call_page_aligned(size);
  for (size_t alignment = 16; alignment <= (1 << 20); alignment *= 4) {
    for (const size_t from : kResizedFrom) {
      for (const size_t to : kResizedTo) {
        call_realloc_of_aligned(alignment, from, to);
      }
    }
  }
}

}  // namespace gabion::testing
