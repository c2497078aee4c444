// A buffer that doubles from 4 bytes while it stays under 1 GiB, with every new byte written, then
// freed, some rounds in a row: a vector or string that reads an input of unknown length. It shows
// whether growing copies bytes, remaps pages or stays in place, whether old and new buffer are
// resident together, and what is left for the next round.
#include <bit>
#include <cstdint>

#include "tests/bench/support/block.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr std::size_t kFirst = 4;
constexpr std::size_t kLimit = std::size_t{1} << 30;
constexpr std::size_t kHuge = std::size_t{1} << 20;
constexpr std::size_t kCheckStride = 4096;
constexpr std::size_t kRounds = 5;

// The step that wrote this byte.
std::uint64_t key_at(std::size_t offset) {
  return static_cast<std::uint64_t>(std::bit_width(offset / kFirst));
}

// One byte a page, and the last: pages are what gets lost when a large block moves.
void check(const unsigned char* buffer, std::size_t size) {
  for (std::size_t at = 0; at < size; at += kCheckStride) {
    require(buffer[at] == key_byte(key_at(at)), "realloc lost a page");
  }
  require(buffer[size - 1] == key_byte(key_at(size - 1)), "realloc lost the last byte");
}

}  // namespace

Result realloc_double(const Settings& settings) {
  const std::size_t rounds = settings.scaled(kRounds);
  std::uint64_t operations = 0;
  std::uint64_t huge_steps = 0;
  std::uint64_t huge_moved = 0;
  const Stopwatch watch;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::size_t size = kFirst;
    auto* buffer = static_cast<unsigned char*>(allocate(size));
    fill(buffer, size, 0);
    while (size * 2 < kLimit) {
      const auto before = reinterpret_cast<std::uintptr_t>(buffer);
      buffer = static_cast<unsigned char*>(reallocate(buffer, size * 2));
      ++operations;
      if (size * 2 > kHuge) {
        ++huge_steps;
        huge_moved += reinterpret_cast<std::uintptr_t>(buffer) != before;
      }
      check(buffer, size);
      fill(buffer + size, size, key_at(size));
      size *= 2;
    }
    check(buffer, size);
    std::free(buffer);
    operations += 2;
  }
  return {.seconds = watch.seconds(),
          .operations = operations,
          .metrics = {{"huge_steps", static_cast<double>(huge_steps)},
                      {"huge_moved", static_cast<double>(huge_moved)}}};
}

}  // namespace gabion::bench
