#include "fuzz/malloc_operations.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <limits>
#include <new>

#include "fuzz/failure.h"
#include "fuzz/pattern.h"
#include "fuzz/request.h"

namespace gabion::fuzz {
namespace {

void expect_success(const char* name, const Outcome& outcome) {
  if (outcome.threw) fail("%s threw", name);
  if (outcome.block == nullptr) fail("%s returned null", name);
  if (outcome.error != kErrnoBefore) fail("%s succeeded and set errno to %d", name, outcome.error);
}

void expect_enomem(const char* name, std::size_t size, const Outcome& outcome) {
  if (outcome.block != nullptr) fail("%s gave %p for %zu bytes", name, outcome.block, size);
  if (outcome.error != ENOMEM) fail("%s failed with errno %d", name, outcome.error);
}

// What realloc keeps: the new block begins with what the old one held.
void expect_kept(const Block& old, const void* block, std::size_t size) {
  const std::size_t kept = std::min(old.written, size);
  const std::size_t damage =
      first_damage(static_cast<const std::byte*>(block), old.written, kept, old.seed);
  if (damage != kNoDamage) {
    fail("realloc from %zu to %zu bytes lost the contents at offset %zu", old.size, size, damage);
  }
}

void expect_zero(const void* block, std::size_t size) {
  const std::size_t found = first_nonzero(static_cast<const std::byte*>(block), size);
  if (found != kNoDamage) fail("calloc: %zu bytes, not zero at offset %zu", size, found);
}

// Some element size that goes into `size`, so that reallocarray has something to multiply.
std::size_t element_size(std::size_t size) {
  return std::size_t{1} << std::min(std::countr_zero(size | 64), 6);
}

Origin origin_of(NewForm form) {
  if (form.aligned) return form.array ? Origin::kNewArrayAligned : Origin::kNewAligned;
  return form.array ? Origin::kNewArray : Origin::kNew;
}

}  // namespace

void Allocate::perform(MallocState& state) const {
  const std::size_t room = state.make_room(size);
  const std::size_t each = room / count;
  Outcome outcome;
  std::size_t total = each * count;
  switch (function) {
    case Function::kMalloc:
      total = room;
      outcome = call_malloc(total);
      break;
    case Function::kCalloc:
      outcome = call_calloc(count, each);
      break;
    case Function::kRealloc:
      total = room;
      outcome = call_realloc(nullptr, total);
      break;
    case Function::kReallocarray:
      outcome = call_reallocarray(nullptr, count, each);
      break;
  }
  expect_success(kName, outcome);
  if (function == Function::kCalloc) expect_zero(outcome.block, total);
  state.model().add(outcome.block, total, kMinAlignment, Origin::kMalloc);
}

void AllocateAligned::perform(MallocState& state) const {
  const std::size_t room = state.make_room(size);
  const std::size_t asked = state.allowed_alignment(alignment);
  const std::size_t rounded = std::bit_ceil(asked);
  switch (function) {
    case Function::kAlignedAlloc: {
      const Outcome outcome = call_aligned_alloc(asked, room);
      expect_success("aligned_alloc", outcome);
      const Origin origin = asked == rounded ? Origin::kAlignedAlloc : Origin::kMemalign;
      return state.model().add(outcome.block, room, rounded, origin);
    }
    case Function::kMemalign: {
      const Outcome outcome = call_memalign(asked, room);
      expect_success("memalign", outcome);
      return state.model().add(outcome.block, room, rounded, Origin::kMemalign);
    }
    case Function::kPosixMemalign: {
      const std::size_t legal = std::max(rounded, sizeof(void*));
      const Outcome outcome = call_posix_memalign(nullptr, legal, room);
      if (outcome.status != 0) fail("posix_memalign returned %d", outcome.status);
      expect_success("posix_memalign", outcome);
      return state.model().add(outcome.block, room, legal, Origin::kMemalign);
    }
  }
}

void New::perform(MallocState& state) const {
  const std::size_t room = state.make_room(size);
  const std::size_t asked = form.aligned ? state.allowed_alignment(alignment) : kMinAlignment;
  const Outcome outcome = call_new(form, room, asked);
  expect_success("operator new", outcome);
  state.model().add(outcome.block, room, asked, origin_of(form));
}

void Release::perform(MallocState& state) const {
  if (!state.model().empty()) state.release(which % state.model().count(), way);
}

void Resize::perform(MallocState& state) const {
  Model& model = state.model();
  if (model.empty()) return;
  const std::size_t index = which % model.count();
  if (!model.at(index).is_resizable()) return;
  const Block old = model.take(index);
  std::size_t wanted = size;
  if (target == Target::kDoubled) wanted = old.size * 2;
  if (target == Target::kHalved) wanted = old.size / 2;
  if (target == Target::kNudged) wanted = std::max<std::size_t>(old.size + size, 128) - 128;
  wanted = state.make_room(std::min(wanted, kMaxBlockBytes));

  const std::size_t each = element_size(wanted);
  const Outcome outcome = array ? call_reallocarray(old.address, wanted / each, each)
                                : call_realloc(old.address, wanted);
  if (wanted == 0) {
    if (outcome.block != nullptr) fail("realloc to 0 bytes returned %p", outcome.block);
    if (outcome.error != kErrnoBefore) fail("realloc to 0 bytes set errno to %d", outcome.error);
    return;
  }
  expect_success("realloc", outcome);
  expect_kept(old, outcome.block, wanted);
  model.add(outcome.block, wanted, kMinAlignment, Origin::kMalloc);
}

void AllocateBatch::perform(MallocState& state) const {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t room = state.make_room(size);
    const Outcome outcome = by_new ? call_new({}, room, kMinAlignment) : call_malloc(room);
    expect_success(kName, outcome);
    state.model().add(outcome.block, room, kMinAlignment, by_new ? Origin::kNew : Origin::kMalloc);
  }
}

void ReleaseBatch::perform(MallocState& state) const {
  for (std::size_t i = 0; i < count && !state.model().empty(); ++i) {
    state.release((first + i * stride) % state.model().count(), way);
  }
}

void WriteUsable::perform(MallocState& state) const {
  if (!state.model().empty()) state.model().write_usable(which % state.model().count());
}

void Refuse::perform(MallocState& state) const {
  Model& model = state.model();
  constexpr std::size_t kHalf = std::numeric_limits<std::size_t>::max() / 2;
  switch (function) {
    case Function::kMalloc:
      return expect_enomem("malloc", size, call_malloc(size));
    case Function::kCalloc:
      return expect_enomem("calloc", size, call_calloc(1, size));
    case Function::kCallocOverflow:  // the product wraps round to a small number
      return expect_enomem("calloc", size, call_calloc(kHalf + 1 + alignment / 2, 2));
    case Function::kRealloc: {
      if (model.empty()) return;
      const std::size_t index = which % model.count();
      if (!model.at(index).is_resizable()) return;
      expect_enomem("realloc", size, call_realloc(model.at(index).address, size));
      return model.check(index);
    }
    case Function::kReallocNull:
      return expect_enomem("realloc", size, call_realloc(nullptr, size));
    case Function::kReallocarrayOverflow: {
      if (model.empty()) return;
      const std::size_t index = which % model.count();
      if (!model.at(index).is_resizable()) return;
      void* block = model.at(index).address;
      expect_enomem("reallocarray", size, call_reallocarray(block, kHalf + 1 + alignment / 2, 2));
      return model.check(index);
    }
    case Function::kAlignedAlloc:
      return expect_enomem("aligned_alloc", size, call_aligned_alloc(alignment, size));
    case Function::kMemalign:
      return expect_enomem("memalign", size, call_memalign(alignment, size));
    case Function::kPosixMemalign: {
      char untouched;
      const std::size_t legal = std::max(alignment, sizeof(void*));
      const Outcome outcome = call_posix_memalign(&untouched, legal, size);
      if (outcome.status != ENOMEM) fail("posix_memalign returned %d", outcome.status);
      if (outcome.block != &untouched) fail("posix_memalign failed and stored %p", outcome.block);
      return;
    }
    case Function::kNew: {
      const Outcome outcome = call_new(form, size, alignment);
      if (outcome.block != nullptr) fail("operator new gave %p", outcome.block);
      if (outcome.threw == form.nothrow) fail("operator new: threw is %d", outcome.threw);
      return;
    }
  }
}

void BadAlignment::perform(MallocState&) const {
  char untouched;
  const Outcome outcome = call_posix_memalign(&untouched, alignment, size);
  if (outcome.status != EINVAL) fail("alignment %zu: returned %d", alignment, outcome.status);
  if (outcome.block != &untouched) fail("alignment %zu: stored %p", alignment, outcome.block);
  if (outcome.error != kErrnoBefore) fail("alignment %zu: errno %d", alignment, outcome.error);
}

void NewHandler::perform(MallocState&) const {
  static int calls_left;
  static int calls_made;
  static bool throw_at_end;
  calls_left = calls;
  calls_made = 0;
  throw_at_end = throws;
  const std::new_handler before = std::set_new_handler([] {
    ++calls_made;
    if (calls_left-- > 0) return;
    if (throw_at_end) throw std::bad_alloc();
    std::set_new_handler(nullptr);
  });
  const Outcome outcome = call_new(form, size, kMinAlignment);
  std::set_new_handler(before);
  if (outcome.block != nullptr) fail("operator new gave %p", outcome.block);
  if (outcome.threw == form.nothrow) fail("operator new: threw is %d", outcome.threw);
  if (calls_made != calls + 1) fail("the handler ran %d times, not %d", calls_made, calls + 1);
}

void Nothing::perform(MallocState&) const {
  call_free(nullptr);
  call_free_sized(nullptr, size);
  call_free_aligned_sized(nullptr, kMinAlignment, size);
  for (const bool array : {false, true}) {
    for (const bool aligned : {false, true}) {
      for (const DeleteForm form : {DeleteForm::kPlain, DeleteForm::kSized, DeleteForm::kNothrow}) {
        call_delete(array, aligned, form, nullptr, size, kMinAlignment);
      }
    }
  }
  if (call_usable_size(nullptr) != 0) fail("the usable size of null is not 0");
}

void Trim::perform(MallocState&) const { call_trim(); }

}  // namespace gabion::fuzz
