// Fill: what fresh and freed memory holds.
//
// Debug: fresh memory holds 0xbe, so that reading it uninitialised is noticed; freed memory 0xef,
// so that a read through an old pointer gives an address that faults. Hardened: freed memory is
// zero, so that secrets and stale pointers do not survive their block. In both a byte that differs
// when the block leaves the quarantine was written after the free.
//
// Cost: one pass over the block when it is freed and one when it leaves. Large blocks give their
// inner pages back instead: those read as zero, and only pages that are resident again are looked
// at.
#ifndef GABION_HARDENING_FILL_H_
#define GABION_HARDENING_FILL_H_

#include <cstddef>
#include <cstdint>

#include "src/hardening/byte_range.h"
#include "src/hardening/profile.h"

namespace gabion::hardening {

inline constexpr uint8_t kFreshByte = 0xbe;
inline constexpr uint8_t kFreedByte = kProfile.zero_on_free ? 0 : 0xef;

// Freed blocks of at least this size give pages back: below it, faulting them in again costs more
// than filling them.
inline constexpr size_t kGiveBackSize = size_t{256} << 10;

// The pages of a block that are given back when it is freed; empty for smaller blocks.
ByteRange given_back(ByteRange block);

// Fills at most the first `limit` bytes.
void fill_fresh(ByteRange block, size_t limit);

void fill_freed(ByteRange block);

// What fill_freed() left at `address`.
uint8_t freed_byte(ByteRange block, uintptr_t address);

// From the first to the last byte that was written since fill_freed().
ByteRange find_freed_damage(ByteRange block);

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_FILL_H_
