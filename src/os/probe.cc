#include "src/os/probe.h"

#include <errno.h>

#include "src/os/syscall.h"

// The stack pointer at the entry of the process, set by the dynamic linker. Not weak: a weak
// reference in a program is resolved to nothing.
extern "C" void* __libc_stack_end;

namespace gabion::os {

// The kernel copies the new signal mask from the caller before it looks at `how`, which is none it
// knows: EFAULT says that the memory cannot be read, EINVAL that it can, and no mask is changed.
bool is_readable(uintptr_t address) {
  constexpr int kNoSuchHow = -1;
  constexpr long kKernelMaskSize = 8;
  return system_call(SYS_rt_sigprocmask, kNoSuchHow, address, 0, kKernelMaskSize).error() == EINVAL;
}

uintptr_t thread_pointer() { return reinterpret_cast<uintptr_t>(__builtin_thread_pointer()); }

uintptr_t initial_stack_end() { return reinterpret_cast<uintptr_t>(__libc_stack_end); }

}  // namespace gabion::os
