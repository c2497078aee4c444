// The allocator's entry points as the targets call them.
//
// Compilers know what malloc and operator new promise, and drop checks of those promises or whole
// pairs of calls. Each call here is made for certain, and its result is a pointer of which the
// compiler knows nothing.
#ifndef GABION_FUZZ_ENTRY_POINTS_H_
#define GABION_FUZZ_ENTRY_POINTS_H_

#include <cstddef>

namespace gabion::fuzz {

// errno before each call: a value that no allocator sets.
inline constexpr int kErrnoBefore = 4242;

struct Outcome {
  void* block = nullptr;
  int error = 0;       // errno after the call
  bool threw = false;  // std::bad_alloc
  int status = 0;      // what posix_memalign returned
};

struct NewForm {
  bool array;
  bool aligned;
  bool nothrow;
};

enum class DeleteForm { kPlain, kSized, kNothrow };

Outcome call_malloc(std::size_t size);
Outcome call_calloc(std::size_t count, std::size_t size);
Outcome call_realloc(void* block, std::size_t size);
Outcome call_reallocarray(void* block, std::size_t count, std::size_t size);
Outcome call_aligned_alloc(std::size_t alignment, std::size_t size);
Outcome call_memalign(std::size_t alignment, std::size_t size);
// `block` of the outcome is `before` when the call did not store a pointer.
Outcome call_posix_memalign(void* before, std::size_t alignment, std::size_t size);
// `alignment` counts only for aligned forms.
Outcome call_new(NewForm form, std::size_t size, std::size_t alignment);

// These fail when errno changes.
void call_free(void* block);
void call_free_sized(void* block, std::size_t size);
void call_free_aligned_sized(void* block, std::size_t alignment, std::size_t size);
void call_delete(bool array, bool aligned, DeleteForm form, void* block, std::size_t size,
                 std::size_t alignment);
std::size_t call_usable_size(void* block);
void call_trim();

}  // namespace gabion::fuzz

#endif  // GABION_FUZZ_ENTRY_POINTS_H_
