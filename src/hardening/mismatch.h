// Does a release fit the allocation? Pure arithmetic on what is recorded and what is claimed.
#ifndef GABION_HARDENING_MISMATCH_H_
#define GABION_HARDENING_MISMATCH_H_

#include <cstddef>
#include <optional>

#include "src/hardening/slot_record.h"
#include "src/report/bug.h"

namespace gabion::hardening {

// How a block comes back. Sizes and alignments are what the caller claims; 0 is "not given".
struct Release {
  report::AccessKind with = report::AccessKind::kFree;
  bool has_size = false;  // a claimed size of 0 is a claim too
  size_t size = 0;
  size_t alignment = 0;
};

// kAllocDeallocMismatch for another family (malloc and free; new and delete; new[] and delete[]),
// kNewDeleteTypeMismatch for another size or alignment, nothing if all fits.
//
// free() takes blocks of any alignment. delete must be told an alignment exactly if new was.
// free_aligned_sized() of a block of malloc is let pass where 16 bytes are enough.
std::optional<report::BugKind> find_mismatch(const Facts& facts, const Release& release);

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_MISMATCH_H_
