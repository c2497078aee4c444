// What operator new does after the first attempt failed (C++20 [new.delete.single]).
#ifndef GABION_API_NEW_FAILURE_H_
#define GABION_API_NEW_FAILURE_H_

#include <cstddef>

#include "src/api/entry.h"

namespace gabion::api {

// All take what the first attempt was asked for; an alignment of 0 is the default one.

// Calls the program's new-handler and tries again, until there is memory, or no handler (null), or
// the handler throws.
void* retry_new(size_t size, size_t alignment, AllocationKind kind, CallSite site);

// For the forms that throw: never null.
void* new_or_throw(size_t size, size_t alignment, AllocationKind kind, CallSite site);

// For the forms that do not: null, also when the handler throws.
void* new_or_null(size_t size, size_t alignment, AllocationKind kind, CallSite site) noexcept;

}  // namespace gabion::api

#endif  // GABION_API_NEW_FAILURE_H_
