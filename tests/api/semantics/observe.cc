#include "tests/api/semantics/observe.h"

#include <malloc.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace gabion::testing {
namespace {

constexpr size_t kDense = 64 << 10;  // bytes that are all looked at
constexpr size_t kStride = 65537;    // between those looked at behind them

unsigned char pattern(size_t at) { return static_cast<unsigned char>(at * 131 + (at >> 8) + 1); }

// Calls visit(index) for the bytes that are looked at.
template <typename Visit>
void for_samples(size_t size, Visit visit) {
  for (size_t at = 0; at < size; at += at < kDense ? 1 : kStride) visit(at);
}

bool is_zero(const void* block, size_t size) {
  bool zero = true;
  const auto* bytes = static_cast<const unsigned char*>(block);
  for_samples(size, [&](size_t at) { zero = zero && bytes[at] == 0; });
  return zero;
}

}  // namespace

std::string errno_name(int error) {
  switch (error) {
    case kErrnoBefore:
      return "kept";
    case ENOMEM:
      return "ENOMEM";
    case EINVAL:
      return "EINVAL";
    case 0:
      return "0";
    default:
      return std::to_string(error);
  }
}

std::string spelled(size_t size) {
  constexpr size_t kNear = 1 << 16;
  constexpr size_t kMaximum = PTRDIFF_MAX;
  if (SIZE_MAX - size < kNear) {
    return size == SIZE_MAX ? "SIZE_MAX" : "SIZE_MAX-" + std::to_string(SIZE_MAX - size);
  }
  if (size > kMaximum && size - kMaximum < kNear) {
    return "PTRDIFF_MAX+" + std::to_string(size - kMaximum);
  }
  if (size <= kMaximum && kMaximum - size < kNear) {
    return size == kMaximum ? "PTRDIFF_MAX" : "PTRDIFF_MAX-" + std::to_string(kMaximum - size);
  }
  if (size >= (1 << 20) && size % (1 << 20) == 0) return std::to_string(size >> 20) + "Mi";
  if (size >= (1 << 10) && size % (1 << 10) == 0) return std::to_string(size >> 10) + "Ki";
  return std::to_string(size);
}

void print(const std::string& name, const std::string& result) {
  std::printf("%s -> %s\n", name.c_str(), result.c_str());
}

void fill(void* block, size_t size) {
  auto* bytes = static_cast<unsigned char*>(block);
  for_samples(size, [&](size_t at) { bytes[at] = pattern(at); });
  hidden(block);
}

bool holds_fill(const void* block, size_t size) {
  bool same = true;
  const auto* bytes = static_cast<const unsigned char*>(block);
  for_samples(size, [&](size_t at) { same = same && bytes[at] == pattern(at); });
  return same;
}

std::string judged(const Seen& seen, const Wanted& wanted) {
  if (seen.result == nullptr) return "null, errno " + errno_name(seen.error);
  const size_t alignment = std::bit_ceil(std::max<size_t>(wanted.alignment, 16));
  const bool aligned = reinterpret_cast<std::uintptr_t>(seen.result) % alignment == 0;
  const size_t usable = malloc_usable_size(seen.result);
  std::string text = "block, errno " + errno_name(seen.error);
  text += aligned ? ", aligned" : ", MISALIGNED";
  text += usable >= wanted.size ? ", usable" : ", TOO SMALL";
  if (wanted.zero) text += is_zero(seen.result, wanted.size) ? ", zero" : ", NOT ZERO";
  fill(seen.result, usable);
  if (usable != 0) static_cast<unsigned char*>(seen.result)[usable - 1] = pattern(usable - 1);
  text += holds_fill(hidden(seen.result), usable) ? ", writable" : ", NOT WRITABLE";
  return text;
}

std::string freed(void* block) {
  errno = kErrnoBefore;
  std::free(hidden(block));
  return "free: errno " + errno_name(errno);
}

std::string judged_and_freed(const Seen& seen, const Wanted& wanted) {
  const std::string before = judged(seen, wanted);
  return before + ", " + freed(seen.result);
}

}  // namespace gabion::testing
