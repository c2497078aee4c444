#include "fuzz/malloc_operations.h"
#include "fuzz/request.h"

namespace gabion::fuzz {
namespace {

// Braced initialisers are evaluated in order, so the bytes are read in the order of the members.

Allocate::Function read_allocate_function(InputReader& input) {
  return static_cast<Allocate::Function>(input.below(4));
}

NewForm read_new_form(InputReader& input) {
  const unsigned bits = input.byte();
  return {.array = (bits & 1) != 0, .aligned = (bits & 2) != 0, .nothrow = (bits & 4) != 0};
}

// aligned_alloc and memalign round up what is no power of two; one input in four tries.
std::size_t read_loose_alignment(InputReader& input, AllocateAligned::Function function) {
  const bool loose = function != AllocateAligned::Function::kPosixMemalign && input.byte() % 4 == 0;
  return loose ? input.number(2) : read_alignment(input);
}

AllocateAligned read_allocate_aligned(InputReader& input) {
  const auto function = static_cast<AllocateAligned::Function>(input.below(3));
  return {.function = function,
          .alignment = read_loose_alignment(input, function),
          .size = read_size(input)};
}

Resize read_resize(InputReader& input) {
  const std::size_t which = input.number(2);
  const unsigned bits = input.byte();
  const auto target = static_cast<Resize::Target>(bits % 4);
  std::size_t size = 0;
  if (target == Resize::Target::kAbsolute) size = read_size(input);
  if (target == Resize::Target::kNudged) size = input.byte();
  return {.which = which, .target = target, .size = size, .array = (bits & 4) != 0};
}

// Sizes so small that a whole batch fits.
AllocateBatch read_allocate_batch(InputReader& input) {
  return {.count = 1 + input.below(128),
          .size = read_size(input) % 8192,
          .by_new = input.byte() % 2 == 1};
}

Refuse read_refuse(InputReader& input) {
  return {.function = static_cast<Refuse::Function>(input.below(Refuse::kFunctions)),
          .which = input.number(2),
          .size = read_impossible_size(input),
          .alignment = read_alignment(input),
          .form = read_new_form(input)};
}

// Not a multiple of a pointer's size, or not a power of two.
BadAlignment read_bad_alignment(InputReader& input) {
  constexpr std::size_t kBad[] = {0, 1, 2, 3, 4, 7, 9, 12, 24, 40, 48, 4095, 4104, 65537};
  return {.alignment = kBad[input.below(std::size(kBad))], .size = read_size(input)};
}

Operation read_operation(InputReader& input, unsigned selector) {
  switch (selector) {
    default:  // the most common ones have several selectors
      return Allocate{.function = read_allocate_function(input),
                      .size = read_size(input),
                      .count = 1 + input.below(16)};
    case 1:
    case 2:
      return read_allocate_aligned(input);
    case 3:
    case 4:
      return New{.form = read_new_form(input),
                 .alignment = read_alignment(input),
                 .size = read_size(input)};
    case 5:
    case 6:
    case 7:
      return Release{.which = input.number(2), .way = input.byte()};
    case 8:
    case 9:
    case 10:
      return read_resize(input);
    case 11:
      return read_allocate_batch(input);
    case 12:
      return ReleaseBatch{.first = input.number(2),
                          .stride = 1 + input.below(8),
                          .count = 1 + input.below(256),
                          .way = input.byte()};
    case 13:
      return WriteUsable{.which = input.number(2)};
    case 14:
      return read_refuse(input);
    case 15:
      return read_bad_alignment(input);
    case 16:
      return NewHandler{.form = read_new_form(input),
                        .calls = static_cast<int>(input.below(4)),
                        .throws = input.byte() % 2 == 1,
                        .size = read_impossible_size(input)};
    case 17:
      return Nothing{.size = read_size(input)};
    case 18:
      return Trim{};
  }
}

}  // namespace

// One byte chooses both: 32 selectors, in five of eight cases on the main thread.
Step read_step(InputReader& input) {
  const unsigned byte = input.byte();
  const unsigned place = byte >> 5;
  const Where where = place < 5 ? Where::kMain : static_cast<Where>(place - 4);
  return {.where = where, .operation = read_operation(input, byte & 31)};
}

}  // namespace gabion::fuzz
