// The allocator of the profiles with records: every block is dressed when it is handed out,
// and examined, marked and put into quarantine when it comes back.
#ifndef GABION_HARDENING_CHECKED_H_
#define GABION_HARDENING_CHECKED_H_

#include <cstddef>

#include "src/backtrace/stack.h"
#include "src/hardening/mismatch.h"
#include "src/hardening/slot_record.h"
#include "src/heap/heap.h"

namespace gabion::hardening::checked {

struct Request {
  size_t size = 0;
  Alignment alignment = {};
  report::AllocationKind kind = report::AllocationKind::kMalloc;
  bool zeroed = false;  // not together with an alignment above 16
};

void* allocate(const Request& request, backtrace::CallSite site);
void release(void* block, const Release& release, backtrace::CallSite site);
void* reallocate(void* block, size_t size, backtrace::CallSite site);
size_t usable_size(const void* block);

// The heap's answer to a pointer that its own records refuse.
void on_corruption(heap::Corruption what, void* pointer);

}  // namespace gabion::hardening::checked

#endif  // GABION_HARDENING_CHECKED_H_
