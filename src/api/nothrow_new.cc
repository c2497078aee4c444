// The one file that is compiled with exceptions: operator new (nothrow) must return null when the
// program's new-handler throws ([new.delete.single]/8).
//
// What catching needs belongs to the program's C++ runtime. As weak references these names make no
// library needed, and a C program loads without them: it never comes here with a handler. A runtime
// that was loaded later, for a plugin alone, does not resolve them either; a handler that throws
// ends such a program as any exception does that leaves a noexcept function.

#include "src/api/new_failure.h"

asm(".weak __gxx_personality_v0\n"
    ".weak __cxa_begin_catch\n"
    ".weak __cxa_end_catch\n"
    ".weak _Unwind_Resume\n"
    ".weak _ZSt9terminatev\n");

namespace gabion::api {

void* new_or_null(size_t size, size_t alignment, AllocationKind kind, CallSite site) noexcept {
  try {
    return retry_new(size, alignment, kind, site);
  } catch (...) {
    return nullptr;
  }
}

}  // namespace gabion::api
