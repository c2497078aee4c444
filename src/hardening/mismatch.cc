#include "src/hardening/mismatch.h"

namespace gabion::hardening {
namespace {

using report::AccessKind;
using report::AllocationKind;
using report::BugKind;

enum class Family : uint8_t { kMalloc, kNew, kNewArray };

Family family(AllocationKind kind) {
  switch (kind) {
    case AllocationKind::kNew:
      return Family::kNew;
    case AllocationKind::kNewArray:
      return Family::kNewArray;
    case AllocationKind::kMalloc:
    case AllocationKind::kAligned:
      break;
  }
  return Family::kMalloc;
}

Family family(AccessKind release) {
  switch (release) {
    case AccessKind::kDelete:
      return Family::kNew;
    case AccessKind::kDeleteArray:
      return Family::kNewArray;
    default:
      return Family::kMalloc;
  }
}

bool alignment_fits(const Facts& facts, const Release& release) {
  const Alignment claimed = Alignment::given_as(release.alignment);
  if (family(release.with) != Family::kMalloc) return claimed == facts.alignment;
  if (!claimed.given()) return true;
  if (!facts.alignment.given()) return release.alignment <= heap::kMinAlignment;
  return claimed == facts.alignment;
}

}  // namespace

std::optional<BugKind> find_mismatch(const Facts& facts, const Release& release) {
  if (family(facts.kind) != family(release.with)) return BugKind::kAllocDeallocMismatch;
  if (release.has_size && release.size != facts.size) return BugKind::kNewDeleteTypeMismatch;
  if (!alignment_fits(facts, release)) return BugKind::kNewDeleteTypeMismatch;
  return std::nullopt;
}

}  // namespace gabion::hardening
