#include "tests/api/semantics/differences.h"

namespace gabion::testing {
namespace {

constexpr std::string_view kMissing = "an entry point that glibc 2.36 does not have";
constexpr std::string_view kExact = "the canary begins right behind the requested bytes";

constexpr Difference kDifferences[] = {
    {"", "cfree(*", "absent", "errno kept", kMissing},
    {"", "free_sized(*", "absent", "errno kept", kMissing},
    {"", "free_aligned_sized(*", "absent", "errno kept", kMissing},
    {"debug", "malloc_usable_size(malloc(n)) is always n", "no", "yes", kExact},
    {"hardened", "malloc_usable_size(malloc(n)) is always n", "no", "yes", kExact},
    {"", "libc's own heap is in use", "yes", "no", "all blocks are Gabion's"},
};

}  // namespace

std::span<const Difference> differences() { return kDifferences; }

}  // namespace gabion::testing
