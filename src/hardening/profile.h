// What a build of Gabion is: one constant, chosen by the one macro GABION_PROFILE. All other code
// says `if constexpr (kProfile.…)`, and every branch compiles in every profile.
#ifndef GABION_HARDENING_PROFILE_H_
#define GABION_HARDENING_PROFILE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#define GABION_PROFILE_FAST 0
#define GABION_PROFILE_HARDENED 1
#define GABION_PROFILE_DEBUG 2

#ifndef GABION_PROFILE
#error "GABION_PROFILE is not set: build through the targets of src/profiles.bzl"
#endif

namespace gabion::hardening {

// What the layer knows of each block, out of line.
enum class Records : uint8_t {
  kNone,   // the heap alone
  kState,  // live or not, kind, slack: four bytes a slot
  kFull,   // a SlotRecord: size, kind, state, stacks, threads
};

struct Profile {
  std::string_view name;
  Records records;
  bool front_canary;         // the bytes before a block are checked too
  bool canary_zero;          // a zero among them stops a string function that reads on
  size_t tail_canary_limit;  // bytes behind a block that are checked, at most; 0 none
  bool fill;                 // fresh and freed memory carry patterns (debug)
  bool zero_on_free;         // freed memory is zeroed (hardened)
  bool quarantine;           // freed blocks wait before they are used again
  bool backtraces;           // allocation and free stacks are recorded
  bool reports;              // text and JSON reports; else one line and abort
  bool exit_sweep;           // live blocks and the quarantine are checked at exit
};

inline constexpr Profile kFast = {.name = "fast",
                                  .records = Records::kNone,
                                  .front_canary = false,
                                  .canary_zero = false,
                                  .tail_canary_limit = 0,
                                  .fill = false,
                                  .zero_on_free = false,
                                  .quarantine = false,
                                  .backtraces = false,
                                  .reports = false,
                                  .exit_sweep = false};

inline constexpr Profile kHardened = {.name = "hardened",
                                      .records = Records::kState,
                                      .front_canary = false,
                                      .canary_zero = true,
                                      .tail_canary_limit = 128,
                                      .fill = false,
                                      .zero_on_free = true,
                                      .quarantine = true,
                                      .backtraces = false,
                                      .reports = true,
                                      .exit_sweep = false};

inline constexpr Profile kDebug = {.name = "debug",
                                   .records = Records::kFull,
                                   .front_canary = true,
                                   .canary_zero = false,
                                   .tail_canary_limit = 4096,
                                   .fill = true,
                                   .zero_on_free = false,
                                   .quarantine = true,
                                   .backtraces = true,
                                   .reports = true,
                                   .exit_sweep = true};

inline constexpr Profile kProfile = GABION_PROFILE == GABION_PROFILE_DEBUG      ? kDebug
                                    : GABION_PROFILE == GABION_PROFILE_HARDENED ? kHardened
                                                                                : kFast;

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_PROFILE_H_
