#include "fuzz/model.h"

#include <algorithm>
#include <cstring>

#include "fuzz/entry_points.h"
#include "fuzz/failure.h"
#include "fuzz/pattern.h"

namespace gabion::fuzz {
namespace {

// Blocks' patterns share no word: it is chosen by the seed plus the offset in words.
constexpr std::uint64_t kSeedStep = kMaxLiveBytes;

std::uintptr_t address_of(const Block& block) {
  return reinterpret_cast<std::uintptr_t>(block.address);
}

// Blocks of no bytes are told apart by address too.
Interval interval_of(const Block& block) {
  return {address_of(block), address_of(block) + std::max<std::size_t>(block.usable, 1)};
}

}  // namespace

void Model::clear() {
  count_ = 0;
  live_bytes_ = 0;
  next_seed_ = 0;
  intervals_.clear();
}

void Model::add(void* address, std::size_t size, std::size_t alignment, Origin origin) {
  if (address == nullptr) fail("no memory for %zu bytes aligned to %zu", size, alignment);
  Block block = {.address = static_cast<std::byte*>(address),
                 .size = size,
                 .usable = size,
                 .written = size,
                 .alignment = alignment,
                 .seed = next_seed_ += kSeedStep,
                 .origin = origin};
  if (address_of(block) % std::max(alignment, kMinAlignment) != 0) {
    fail("%p (%zu bytes) is not aligned to %zu", address, size, std::max(alignment, kMinAlignment));
  }
  check_alone(block);  // first, since the allocator may well crash when asked about a bad address
  block.usable = call_usable_size(address);
  if (block.usable < size) fail("%p: %zu of %zu bytes are usable", address, block.usable, size);
  check_alone(block);

  intervals_.insert(interval_of(block));
  fill_pattern(block.address, block.written, block.seed);
  live_bytes_ += block.usable;
  blocks_[count_++] = block;
}

void Model::check_alone(const Block& block) {
  const Interval* other = intervals_.overlapping(interval_of(block));
  if (other == nullptr) return;
  fail("%p (%zu bytes, %zu usable) overlaps the live block [%#zx, %#zx)",
       static_cast<void*>(block.address), block.size, block.usable, other->begin, other->end);
}

Block Model::take(std::size_t index) {
  const Block block = blocks_[index];
  check_block(block);
  if (!intervals_.erase(address_of(block))) {
    fail("the model lost %p", static_cast<void*>(block.address));
  }
  live_bytes_ -= block.usable;
  blocks_[index] = blocks_[--count_];
  return block;
}

void Model::write_usable(std::size_t index) {
  Block& block = blocks_[index];
  block.written = block.usable;
  fill_pattern(block.address, block.written, block.seed);
}

void Model::check_all() const {
  for (std::size_t i = 0; i < count_; ++i) check(i);
}

void Model::check_block(const Block& block) {
  const std::size_t usable = call_usable_size(block.address);
  if (usable != block.usable) {
    fail("%p: usable size went from %zu to %zu", static_cast<void*>(block.address), block.usable,
         usable);
  }
  const std::size_t damage = first_damage(block.address, block.written, block.written, block.seed);
  if (damage != kNoDamage) {
    fail("%p (%zu bytes) lost its contents at offset %zu", static_cast<void*>(block.address),
         block.size, damage);
  }
}

}  // namespace gabion::fuzz
