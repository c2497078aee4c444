// Looking a block over for damage, and reporting what is found.
#ifndef GABION_HARDENING_INSPECT_H_
#define GABION_HARDENING_INSPECT_H_

#include "src/backtrace/stack.h"
#include "src/hardening/block_ref.h"
#include "src/report/bug.h"

namespace gabion::hardening {

struct Occasion {
  report::Found found = report::Found::kOnFree;
  const backtrace::CallSite* site = nullptr;  // the call that is going on, if it matters
};

// True if a canary is damaged, or the fill of a block that waits. Takes no lock and calls nothing,
// so it may be asked about blocks of other threads: false if the block changed meanwhile.
bool is_damaged(const BlockRef& ref);

// Reports each damage and mends it.
void inspect(const BlockRef& ref, const Occasion& occasion);

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_INSPECT_H_
