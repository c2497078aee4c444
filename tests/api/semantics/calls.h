// Groups of calls of the golden table.

#ifndef GABION_TESTS_API_SEMANTICS_CALLS_H_
#define GABION_TESTS_API_SEMANTICS_CALLS_H_

namespace gabion::testing {

void call_plain();       // malloc, calloc, realloc, reallocarray, free
void call_aligned();     // aligned_alloc, memalign, posix_memalign, valloc, pvalloc
void call_cxx();         // operator new and delete
void call_statistics();  // mallinfo, mallinfo2, mallopt, malloc_trim, malloc_info,
                         // malloc_usable_size
void call_rare();        // cfree, free_sized, free_aligned_sized, __libc_*

}  // namespace gabion::testing

#endif  // GABION_TESTS_API_SEMANTICS_CALLS_H_
