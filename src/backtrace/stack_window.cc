#include "src/backtrace/stack_window.h"

#include <initializer_list>

#include "src/base/bits.h"
#include "src/os/memory.h"
#include "src/os/probe.h"

namespace gabion::backtrace {
namespace {

// How much of a stack is looked at to find out that it is the thread's own. One that is deeper
// when its thread walks for the first time is treated like a foreign one.
constexpr uintptr_t kMaxOwnStack = uintptr_t{16} << 20;

// What is known of the calling thread's own stack; both 0 at first.
constinit thread_local uintptr_t own_low = 0;
constinit thread_local uintptr_t own_high = 0;

bool all_readable(uintptr_t begin, uintptr_t end) {
  for (uintptr_t page = begin; page < end; page += os::page_size()) {
    if (!os::is_readable(page)) return false;
  }
  return true;
}

bool is_below(uintptr_t sp, uintptr_t top) { return sp < top && top - sp <= kMaxOwnStack; }

// Makes own_low and own_high cover `sp`, if it is on the thread's own stack.
[[gnu::noinline]] void learn_own_stack(uintptr_t sp) {
  const uintptr_t page = base::align_down<uintptr_t>(sp, os::page_size());
  if (own_high != 0) {
    if (is_below(sp, own_low) && all_readable(page, own_low)) own_low = page;
    return;
  }
  for (uintptr_t top : {os::thread_pointer(), os::initial_stack_end()}) {
    top &= ~uintptr_t{sizeof(uintptr_t) - 1};
    if (!is_below(sp, top) || !all_readable(page, top)) continue;
    own_low = page;
    own_high = top;
    return;
  }
}

}  // namespace

StackWindow::StackWindow(uintptr_t sp) : low_(0), high_(0) {
  if (sp < own_low || sp >= own_high) learn_own_stack(sp);
  if (sp < own_low || sp >= own_high) return;
  low_ = own_low;
  high_ = own_high;
}

bool has_stack_left(uintptr_t sp, size_t size) {
  if (sp < size) return false;
  const uintptr_t page = base::align_down<uintptr_t>(sp - size, os::page_size());
  if (sp < own_low || sp >= own_high) learn_own_stack(sp);
  if (sp < own_low || sp >= own_high) return all_readable(page, sp);
  if (page >= own_low) return true;
  // Of main's stack the kernel maps what is asked for, as it would when it is used.
  if (!all_readable(page, own_low)) return false;
  own_low = page;
  return true;
}

bool StackWindow::check(uintptr_t address) {
  const uintptr_t page = base::align_down<uintptr_t>(address, os::page_size());
  if (page == checked_page_) return true;
  if (!os::is_readable(address)) return false;
  checked_page_ = page;
  return true;
}

}  // namespace gabion::backtrace
