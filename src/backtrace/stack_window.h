// The part of the stack that a walk may read without a fault, whatever it takes for an address.
#ifndef GABION_BACKTRACE_STACK_WINDOW_H_
#define GABION_BACKTRACE_STACK_WINDOW_H_

#include <cstddef>
#include <cstdint>

namespace gabion::backtrace {

// On the thread's own stack, everything from the stack pointer to the stack's top is known to be
// readable: the kernel was asked once, and the range is remembered in the thread. Elsewhere (signal
// stacks, makecontext, coroutines) the kernel is asked for each page that a walk comes to, each
// time, because such a stack may be gone by the next walk.
class StackWindow {
 public:
  explicit StackWindow(uintptr_t sp);

  bool read(uintptr_t address, uintptr_t& value) {
    if (address % sizeof(uintptr_t) != 0) return false;
    if ((address < low_ || address >= high_) && !check(address)) return false;
    value = load(address);
    return true;
  }

 private:
  // Not only return addresses lie where this reads, but other frames' variables too.
  __attribute__((no_sanitize("address"), no_sanitize("thread"))) static uintptr_t load(
      uintptr_t address) {
    return *reinterpret_cast<const uintptr_t*>(address);
  }

  bool check(uintptr_t address);

  uintptr_t low_, high_;        // readable as a whole
  uintptr_t checked_page_ = 1;  // the last page found readable outside it; 1 is none
};

// Whether the `size` bytes below `sp` can be used, on whatever stack that is.
bool has_stack_left(uintptr_t sp, size_t size);

}  // namespace gabion::backtrace

#endif  // GABION_BACKTRACE_STACK_WINDOW_H_
