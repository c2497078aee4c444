// Asks the kernel whether memory can be read, so that a wild pointer is found out without a fault.
#ifndef GABION_OS_PROBE_H_
#define GABION_OS_PROBE_H_

#include <cstdint>

namespace gabion::os {

// Whether the eight bytes at `address` (a multiple of eight) can be read now. One system call.
bool is_readable(uintptr_t address);

// The thread's control block, which the C library puts above the stack of every thread but main.
uintptr_t thread_pointer();

// Where main's stack began when the process was started, at the word that holds argc; 0 if unknown.
uintptr_t initial_stack_end();

}  // namespace gabion::os

#endif  // GABION_OS_PROBE_H_
