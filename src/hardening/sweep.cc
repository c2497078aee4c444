#include "src/hardening/sweep.h"

#include <array>
#include <cstddef>

#include "src/hardening/block_ref.h"
#include "src/hardening/inspect.h"
#include "src/heap/heap.h"

namespace gabion::hardening {
namespace {

// The heap's state is held still while it shows its blocks, so nothing can be reported meanwhile:
// damaged ones are noted, and looked at again afterwards. A program that damages more blocks than
// this has reports enough.
struct Findings {
  std::array<uintptr_t, 64> slots;
  size_t count = 0;
};

bool is_checkable(const BlockRef& ref) {
  return ref.facts.state == State::kLive || ref.facts.state == State::kWaiting;
}

void visit(const heap::BlockView& view, void* context) {
  auto& findings = *static_cast<Findings*>(context);
  if (findings.count == findings.slots.size()) return;
  const BlockRef ref = make_block_ref(view);
  if (is_checkable(ref) && is_damaged(ref)) findings.slots[findings.count++] = ref.slot;
}

}  // namespace

void sweep(report::Found found) {
  Findings findings;
  heap::visit_blocks(visit, &findings);
  for (size_t i = 0; i < findings.count; ++i) {
    const BlockRef ref = find_slot(base::pointer_at(findings.slots[i]));
    if (!ref.exists() || !is_checkable(ref) || !is_damaged(ref)) continue;
    inspect(ref, {.found = found});
  }
}

}  // namespace gabion::hardening
