// Writing the canaries of a slot, and telling whose fault it is when one is damaged.
#ifndef GABION_HARDENING_CANARY_CHECK_H_
#define GABION_HARDENING_CANARY_CHECK_H_

#include "src/hardening/block_ref.h"
#include "src/report/bug.h"

namespace gabion::hardening {

void write_canaries(const BlockRef& ref);

// Before the slot's memory may become another block's: in hardened nobody gets to see a canary.
void erase_canaries(const BlockRef& ref);

ByteRange find_front_damage(const BlockRef& ref);
ByteRange find_tail_damage(const BlockRef& ref);

// One write out of bounds, and the block whose bounds it left.
struct OutOfBounds {
  report::BugKind kind = report::BugKind::kHeapBufferOverflow;
  BlockRef block;
  ByteRange damage;  // empty: none
};

// Damage behind or before the block of `ref`. It is laid at the neighbour's door when it joins the
// neighbour's own damage: a long overflow of the slot before, or a long underflow of the one
// behind.
OutOfBounds find_tail_fault(const BlockRef& ref);
OutOfBounds find_front_fault(const BlockRef& ref);

// Makes the canaries within `damage` whole again, so that it is not found twice.
void repair_canaries(const BlockRef& ref, ByteRange damage);

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_CANARY_CHECK_H_
