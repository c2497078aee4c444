#include "fuzz/malloc_state.h"

#include <algorithm>

#include "fuzz/entry_points.h"

namespace gabion::fuzz {
namespace {

constexpr std::size_t kSmallSize = 1024;
constexpr std::size_t kWideAlignment = std::size_t{1} << 22;

// Too large for a stack, and not for the allocator that it watches.
Model model_storage;

void release_block(const Block& block, unsigned way) {
  const auto form = static_cast<DeleteForm>(way % 3);
  switch (block.origin) {
    case Origin::kMalloc:
      if (way % 4 == 1) return call_free_sized(block.address, block.size);
      if (way % 16 == 3) return static_cast<void>(call_realloc(block.address, 0));
      return call_free(block.address);
    case Origin::kAlignedAlloc:
      if (way % 2 == 1) {
        return call_free_aligned_sized(block.address, block.alignment, block.size);
      }
      return call_free(block.address);
    case Origin::kMemalign:
      return call_free(block.address);
    case Origin::kNew:
      return call_delete(false, false, form, block.address, block.size, block.alignment);
    case Origin::kNewArray:
      return call_delete(true, false, form, block.address, block.size, block.alignment);
    case Origin::kNewAligned:
      return call_delete(false, true, form, block.address, block.size, block.alignment);
    case Origin::kNewArrayAligned:
      return call_delete(true, true, form, block.address, block.size, block.alignment);
  }
}

}  // namespace

MallocState::MallocState() : model_(model_storage) { model_.clear(); }

std::size_t MallocState::make_room(std::size_t size) {
  if (size > work_left_) size %= kSmallSize;
  work_left_ -= std::min(size, work_left_);
  while (!model_.has_room(size)) release(0, 0);
  return size;
}

std::size_t MallocState::allowed_alignment(std::size_t alignment) {
  if (alignment < kWideAlignment || wide_alignments_left_-- > 0) return alignment;
  return kMinAlignment;
}

void MallocState::release(std::size_t index, unsigned way) {
  release_block(model_.take(index), way);
}

void MallocState::check_step(std::size_t step) {
  if (model_.empty()) return;
  if (step % 64 == 0) return model_.check_all();
  model_.check(step * 7919 % model_.count());
}

void MallocState::finish() {
  model_.check_all();
  for (unsigned way = 0; !model_.empty(); ++way) release(way * 31 % model_.count(), way);
}

}  // namespace gabion::fuzz
