// How to go from one frame to its caller's, as the compiler recorded it for each return address in
// .eh_frame (the DWARF tables that C++ exceptions use, present in C programs too).
#ifndef GABION_BACKTRACE_FRAME_RULE_H_
#define GABION_BACKTRACE_FRAME_RULE_H_

#include <cstdint>

namespace gabion::backtrace {

// The "canonical frame address" (CFA) is the value of the stack pointer just before the call that
// made the frame; the return address lies in the word below it.
enum class RuleKind : uint8_t {
  kUnknown,       // no table, or more than these rules can say
  kOutermost,     // nobody called this
  kFromSp,        // CFA = sp + cfa_offset
  kFromFp,        // CFA = fp + cfa_offset
  kFromWordAtFp,  // CFA = *(fp + cfa_offset): functions that realign the stack
  kSignal,        // the kernel saved all registers at sp
};

enum class SavedFp : uint8_t { kSame, kAtCfa, kAtFp };

struct FrameRule {
  RuleKind kind = RuleKind::kUnknown;
  SavedFp saved_fp = SavedFp::kSame;
  int32_t cfa_offset = 0;
  int32_t fp_offset = 0;  // within kFpOffsetBits

  bool operator==(const FrameRule&) const = default;
};

inline constexpr unsigned kFpOffsetBits = 27;

constexpr uint64_t pack(FrameRule rule) {
  constexpr uint32_t kMask = (uint32_t{1} << kFpOffsetBits) - 1;
  return static_cast<uint64_t>(rule.kind) | static_cast<uint64_t>(rule.saved_fp) << 3 |
         static_cast<uint64_t>(static_cast<uint32_t>(rule.fp_offset) & kMask) << 5 |
         static_cast<uint64_t>(static_cast<uint32_t>(rule.cfa_offset)) << 32;
}

constexpr FrameRule unpack(uint64_t packed) {
  const auto low = static_cast<uint32_t>(packed);
  return {.kind = static_cast<RuleKind>(low & 7),
          .saved_fp = static_cast<SavedFp>(low >> 3 & 3),
          .cfa_offset = static_cast<int32_t>(packed >> 32),
          .fp_offset = static_cast<int32_t>(low) >> 5};
}

static_assert(5 + kFpOffsetBits == 32);
static_assert(unpack(pack({RuleKind::kSignal, SavedFp::kAtFp, -123456789, -(1 << 26)})) ==
              FrameRule{RuleKind::kSignal, SavedFp::kAtFp, -123456789, -(1 << 26)});
static_assert(unpack(pack({RuleKind::kFromSp, SavedFp::kAtCfa, 1 << 30, (1 << 26) - 1})) ==
              FrameRule{RuleKind::kFromSp, SavedFp::kAtCfa, 1 << 30, (1 << 26) - 1});

// Whether there are tables on this machine that read_frame_rule finds and understands.
bool can_read_frame_rules();

// Reads the tables: about a microsecond. `pc` is an address inside the calling instruction, so for
// a return address the address minus one. Takes no lock and allocates nothing.
FrameRule read_frame_rule(uintptr_t pc);

}  // namespace gabion::backtrace

#endif  // GABION_BACKTRACE_FRAME_RULE_H_
