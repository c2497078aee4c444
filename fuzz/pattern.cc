#include "fuzz/pattern.h"

#include <algorithm>
#include <cstring>

namespace gabion::fuzz {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kEndBytes = 256;
constexpr std::size_t kWindowBytes = 64;
constexpr std::size_t kWindows = 8;
constexpr std::size_t kMarkers = 256;
constexpr std::size_t kMarkerStride = 4096;
constexpr std::size_t kAllZeroBytes = 64 * 1024;
constexpr std::size_t kZeroStride = 512;

static_assert(kDenseBytes > 2 * kEndBytes + kWindowBytes);

std::uint64_t mix(std::uint64_t value) {
  value *= 0x9e3779b97f4a7c15;
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93;
  return value ^ (value >> 29);
}

// No byte is zero: a page that was lost and comes back zeroed always shows.
std::uint64_t pattern_word(std::uint64_t seed, std::size_t index) {
  return mix(seed + index) | 0x0101010101010101;
}

// The `i`th place in [0, room) where a word may begin.
std::size_t place(std::uint64_t seed, std::size_t i, std::size_t room) {
  return mix(seed ^ (i + 1)) % (room / kWord) * kWord;
}

// Calls visit(begin, end) for each part that holds the pattern; begin is a multiple of a word.
template <typename Visit>
void for_each_part(std::size_t size, std::uint64_t seed, Visit visit) {
  if (size <= kDenseBytes) {
    visit(std::size_t{0}, size);
    return;
  }
  visit(std::size_t{0}, kEndBytes);
  for (std::size_t i = 0; i < kWindows; ++i) {
    const std::size_t begin = place(seed, i, size - kWindowBytes);
    visit(begin, begin + kWindowBytes);
  }
  const std::size_t stride = std::max(kMarkerStride, size / kMarkers / kWord * kWord);
  for (std::size_t start = 0; start + stride <= size; start += stride) {
    const std::size_t begin = start + place(seed, kWindows + start, stride);
    visit(begin, begin + kWord);
  }
  visit((size - kEndBytes) / kWord * kWord, size);
}

// Calls visit(offset, word, count) for the words of a part; the last may have fewer bytes.
template <typename Visit>
void for_each_word(std::size_t begin, std::size_t end, std::uint64_t seed, Visit visit) {
  for (std::size_t at = begin; at < end; at += kWord) {
    const std::uint64_t word = pattern_word(seed, at / kWord);
    if (!visit(at, word, std::min(kWord, end - at))) return;
  }
}

std::size_t first_nonzero_in(const std::byte* block, std::size_t begin, std::size_t end) {
  static constexpr std::byte kZeros[256] = {};
  for (std::size_t at = begin; at < end; at += sizeof kZeros) {
    const std::size_t count = std::min(sizeof kZeros, end - at);
    if (std::memcmp(block + at, kZeros, count) == 0) continue;
    while (block[at] == std::byte{0}) ++at;
    return at;
  }
  return kNoDamage;
}

}  // namespace

void fill_pattern(std::byte* block, std::size_t size, std::uint64_t seed) {
  for_each_part(size, seed, [&](std::size_t begin, std::size_t end) {
    for_each_word(begin, end, seed, [&](std::size_t at, std::uint64_t word, std::size_t count) {
      std::memcpy(block + at, &word, count);
      return true;
    });
  });
}

std::size_t first_damage(const std::byte* block, std::size_t size, std::size_t limit,
                         std::uint64_t seed) {
  std::size_t damage = kNoDamage;
  for_each_part(size, seed, [&](std::size_t begin, std::size_t end) {
    for_each_word(begin, std::min(end, limit), seed,
                  [&](std::size_t at, std::uint64_t word, std::size_t count) {
                    if (std::memcmp(block + at, &word, count) == 0) return true;
                    const auto* expected = reinterpret_cast<const std::byte*>(&word);
                    std::size_t i = 0;
                    while (block[at + i] == expected[i]) ++i;
                    damage = std::min(damage, at + i);
                    return false;
                  });
  });
  return damage;
}

std::size_t first_nonzero(const std::byte* block, std::size_t size) {
  if (size <= kAllZeroBytes) return first_nonzero_in(block, 0, size);
  std::size_t found = first_nonzero_in(block, 0, kDenseBytes);
  for (std::size_t at = kDenseBytes; at < size && found == kNoDamage; at += kZeroStride) {
    found = first_nonzero_in(block, at, std::min(at + kWord, size));
  }
  return found != kNoDamage ? found : first_nonzero_in(block, size - kDenseBytes, size);
}

}  // namespace gabion::fuzz
