// Canaries: bytes around a block that no correct program writes.
//
// Guards against: writes past the end of a block, and in debug before its start. Found when the
// block is freed, reallocated or leaves the quarantine, and at exit. Cost: the canary is written
// once and read once a life; it lies in the slot's slack, so memory grows by at least one byte.
#ifndef GABION_HARDENING_CANARY_H_
#define GABION_HARDENING_CANARY_H_

#include <cstdint>

#include "src/hardening/byte_range.h"

namespace gabion::hardening {

// What a canary consists of: bytes that depend on a key and on their address, so that neither a
// guess nor a copy of another canary passes.
//
// Every byte but the zero (below) is one of 64: bit 7 set, bit 5 clear. So it never equals text,
// 0x00, 0xff or a fill byte, and the commonest overflows, which write those, never go unseen.
class CanaryPattern {
 public:
  // `zero`: an address whose byte is 0, which ends a string that was left without an end.
  constexpr explicit CanaryPattern(uint64_t key, uintptr_t zero = UINTPTR_MAX)
      : key_(key), zero_(zero) {}

  constexpr uint64_t word(uintptr_t address) const {
    uint64_t x = (address ^ key_) * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 32)) + key_;
    x = (x & 0x5f5f5f5f5f5f5f5f) | 0x8080808080808080;
    const uintptr_t zero_byte = zero_ - address;  // wraps when the zero lies before
    return zero_byte < 8 ? x & ~(uint64_t{0xff} << (8 * zero_byte)) : x;
  }

  constexpr uint8_t byte(uintptr_t address) const {
    return static_cast<uint8_t>(word(address & ~uintptr_t{7}) >> (8 * (address & 7)));
  }

 private:
  uint64_t key_;
  uintptr_t zero_;
};

// Draws the process's key: once, before the first block.
void choose_canary_key();

// Of this process, for the canary that begins at `begin`. In hardened its second byte is zero: the
// first is not, because a string's end written one too far is the commonest overflow of all.
CanaryPattern canary_pattern(uintptr_t begin);

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_CANARY_H_
