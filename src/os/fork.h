// What fork must know of the runtime: its locks, and what to mend in the child.
//
// Before fork all registered locks are taken in rank order, so no other thread is inside the
// runtime while memory is copied; the parent releases them, the child resets them. Between, the
// forking thread passes through every lock, because other libraries' fork handlers may run after
// ours before fork, and before ours after it, and may allocate.
#ifndef GABION_OS_FORK_H_
#define GABION_OS_FORK_H_

#include "src/os/mutex.h"

namespace gabion::os {

bool this_thread_is_forking();

// In a child: whether its parent had other threads when it forked. They may have been anywhere, so
// locks that fork does not know (the dynamic loader's among them) may be held here for ever.
bool parent_had_threads();

// At start-up, from one thread. Locks of one rank are taken in the order of registration.
void register_fork_lock(Mutex& mutex);

// `mend` runs in the child after its locks are free, in the order of registration.
void register_fork_child(void (*mend)());

// Installs the handlers with the C library, once. Before this a fork is not covered.
void install_fork_handlers();

}  // namespace gabion::os

#endif  // GABION_OS_FORK_H_
