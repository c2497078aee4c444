// Records who called: the return addresses on the calling thread's stack.
//
// There are three ways. By tables, each frame is left by the rule that the compiler wrote for its
// return address (frame_rule.h), remembered after its first use (rule_cache.h). Such a rule is
// exact; a chain of frame pointers is not, because nothing tells a frame pointer from any other
// value that code built without them keeps in that register. So frame pointers are followed, hop by
// hop and checked, only from code that has no rule: code made at run time, or built without tables.
//
// By libunwind, which follows the same tables, where ours cannot be read (libunwind.h says at what
// price). By frame pointers alone, where that is missing too: such stacks end, or leave a caller
// out, at the first function that keeps no frame pointer.
//
// A capture by tables or frame pointers takes no lock, allocates nothing, makes no call that may be
// bound lazily, and uses a few hundred bytes of stack. Hence there is nothing for fork to wait for,
// nothing that dlopen or dlclose in another thread could block, no recursion into the allocator,
// and it may run in a signal handler, on the smallest stack and in the last destructors of a
// thread. Whatever it takes for an address of the stack is read only after it is known to be
// readable (stack_window.h).
#ifndef GABION_BACKTRACE_UNWIND_H_
#define GABION_BACKTRACE_UNWIND_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/backtrace/stack.h"

namespace gabion::backtrace {

enum class Unwinder : uint8_t { kAuto, kTables, kLibunwind, kFrames };

// Captures from now on go the way that is wanted, or, when it does not work here and for kAuto, the
// first of the others that does. Returns which. Until the first call: by tables. One thread at a
// time; others may be capturing.
Unwinder use_unwinder(Unwinder wanted);

// kFresh reads the rules anew: for the stack of a report, where time does not matter.
enum class Rules : uint8_t { kCached, kFresh };

// Fills `frames` from the innermost: frames[0] is site.return_address. Returns how many there are,
// at least 1 when there is room. `site` is that of a function which is still active, or which made
// a tail call to one that is.
size_t capture(CallSite site, std::span<uintptr_t> frames, Rules rules = Rules::kCached);

}  // namespace gabion::backtrace

#endif  // GABION_BACKTRACE_UNWIND_H_
