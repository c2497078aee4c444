// Small numbers for threads, as reports name them: T0 is the main thread, then 1, 2, and so on in
// the order in which threads first came to the allocator.
#ifndef GABION_HARDENING_THREAD_NUMBER_H_
#define GABION_HARDENING_THREAD_NUMBER_H_

#include <cstdint>

namespace gabion::hardening {

// Of the calling thread. A thread keeps its number in a child of fork.
uint32_t thread_number();

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_THREAD_NUMBER_H_
