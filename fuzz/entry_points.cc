#include "fuzz/entry_points.h"

#include <malloc.h>
#include <stdlib.h>

#include <cerrno>
#include <new>

#include "fuzz/failure.h"

// C23; libcs of today do not declare them.
extern "C" void free_sized(void* block, std::size_t size) noexcept;
extern "C" void free_aligned_sized(void* block, std::size_t alignment, std::size_t size) noexcept;

namespace gabion::fuzz {
namespace {

template <typename Pointer>
Pointer opaque(Pointer pointer) {
  asm volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

template <typename Call>
Outcome observe(Call call) {
  errno = kErrnoBefore;
  void* block = call();
  const int error = errno;
  return {.block = opaque(block), .error = error, .threw = false};
}

template <typename Call>
void observe_release(const char* name, Call call) {
  errno = kErrnoBefore;
  call();
  if (errno != kErrnoBefore) fail("%s changed errno to %d", name, errno);
}

void* new_scalar(bool aligned, bool nothrow, std::size_t size, std::align_val_t alignment) {
  if (aligned && nothrow) return ::operator new(size, alignment, std::nothrow);
  if (aligned) return ::operator new(size, alignment);
  if (nothrow) return ::operator new(size, std::nothrow);
  return ::operator new(size);
}

void* new_array(bool aligned, bool nothrow, std::size_t size, std::align_val_t alignment) {
  if (aligned && nothrow) return ::operator new[](size, alignment, std::nothrow);
  if (aligned) return ::operator new[](size, alignment);
  if (nothrow) return ::operator new[](size, std::nothrow);
  return ::operator new[](size);
}

// No `aligned ? delete : delete` below: clang 19 compiles a conditional operator between two
// calls of operator delete into both of them.

void delete_scalar(DeleteForm form, void* block, std::size_t size) {
  switch (form) {
    case DeleteForm::kPlain:
      return ::operator delete(block);
    case DeleteForm::kSized:
      return ::operator delete(block, size);
    case DeleteForm::kNothrow:
      return ::operator delete(block, std::nothrow);
  }
}

void delete_array(DeleteForm form, void* block, std::size_t size) {
  switch (form) {
    case DeleteForm::kPlain:
      return ::operator delete[](block);
    case DeleteForm::kSized:
      return ::operator delete[](block, size);
    case DeleteForm::kNothrow:
      return ::operator delete[](block, std::nothrow);
  }
}

void delete_aligned_scalar(DeleteForm form, void* block, std::size_t size,
                           std::align_val_t alignment) {
  switch (form) {
    case DeleteForm::kPlain:
      return ::operator delete(block, alignment);
    case DeleteForm::kSized:
      return ::operator delete(block, size, alignment);
    case DeleteForm::kNothrow:
      return ::operator delete(block, alignment, std::nothrow);
  }
}

void delete_aligned_array(DeleteForm form, void* block, std::size_t size,
                          std::align_val_t alignment) {
  switch (form) {
    case DeleteForm::kPlain:
      return ::operator delete[](block, alignment);
    case DeleteForm::kSized:
      return ::operator delete[](block, size, alignment);
    case DeleteForm::kNothrow:
      return ::operator delete[](block, alignment, std::nothrow);
  }
}

}  // namespace

Outcome call_malloc(std::size_t size) {
  return observe([=] { return malloc(size); });
}

Outcome call_calloc(std::size_t count, std::size_t size) {
  return observe([=] { return calloc(count, size); });
}

Outcome call_realloc(void* block, std::size_t size) {
  return observe([=] { return realloc(block, size); });
}

Outcome call_reallocarray(void* block, std::size_t count, std::size_t size) {
  return observe([=] { return reallocarray(block, count, size); });
}

// The headers promise compilers that alignments are powers of two: hence the opaque functions.

Outcome call_aligned_alloc(std::size_t alignment, std::size_t size) {
  return observe([=] { return opaque(&aligned_alloc)(alignment, size); });
}

Outcome call_memalign(std::size_t alignment, std::size_t size) {
  return observe([=] { return opaque(&memalign)(alignment, size); });
}

Outcome call_posix_memalign(void* before, std::size_t alignment, std::size_t size) {
  int status = 0;
  Outcome outcome = observe([&] {
    void* block = before;
    status = posix_memalign(&block, alignment, size);
    return block;
  });
  outcome.status = status;
  return outcome;
}

Outcome call_new(NewForm form, std::size_t size, std::size_t alignment) {
  const auto align = static_cast<std::align_val_t>(alignment);
  try {
    return observe([=] {
      return form.array ? new_array(form.aligned, form.nothrow, size, align)
                        : new_scalar(form.aligned, form.nothrow, size, align);
    });
  } catch (const std::bad_alloc&) {
    return {.block = nullptr, .error = errno, .threw = true};
  }
}

void call_free(void* block) {
  observe_release("free", [=] { free(opaque(block)); });
}

void call_free_sized(void* block, std::size_t size) {
  observe_release("free_sized", [=] { free_sized(opaque(block), size); });
}

void call_free_aligned_sized(void* block, std::size_t alignment, std::size_t size) {
  observe_release("free_aligned_sized",
                  [=] { free_aligned_sized(opaque(block), alignment, size); });
}

void call_delete(bool array, bool aligned, DeleteForm form, void* block, std::size_t size,
                 std::size_t alignment) {
  const auto align = static_cast<std::align_val_t>(alignment);
  observe_release("operator delete", [=] {
    if (array && aligned) return delete_aligned_array(form, opaque(block), size, align);
    if (array) return delete_array(form, opaque(block), size);
    if (aligned) return delete_aligned_scalar(form, opaque(block), size, align);
    return delete_scalar(form, opaque(block), size);
  });
}

std::size_t call_usable_size(void* block) {
  errno = kErrnoBefore;
  const std::size_t usable = malloc_usable_size(opaque(block));
  if (errno != kErrnoBefore) fail("malloc_usable_size changed errno to %d", errno);
  return usable;
}

void call_trim() { malloc_trim(0); }

}  // namespace gabion::fuzz
