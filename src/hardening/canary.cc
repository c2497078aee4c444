#include "src/hardening/canary.h"

#include "src/hardening/profile.h"
#include "src/os/process.h"

namespace gabion::hardening {
namespace {

constinit uint64_t key = 0;

}  // namespace

void choose_canary_key() { key = os::random_u64(); }

CanaryPattern canary_pattern(uintptr_t begin) {
  if constexpr (kProfile.canary_zero) return CanaryPattern(key, begin + 1);
  return CanaryPattern(key);
}

}  // namespace gabion::hardening
