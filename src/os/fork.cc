#include "src/os/fork.h"

#include <pthread.h>
#include <sys/single_threaded.h>

#include <cstddef>

namespace gabion::os {
namespace {

constexpr size_t kMaxLocks = 16;
constexpr size_t kMaxChildHooks = 8;

constinit Mutex* locks[kMaxLocks] = {};
constinit size_t lock_count = 0;
using ChildHook = void (*)();
constinit ChildHook child_hooks[kMaxChildHooks] = {};
constinit size_t child_hook_count = 0;
constinit bool installed = false;
constinit bool had_threads = false;
constinit thread_local bool forking = false;

void prepare() {
  // Said by libc, which in the child starts anew.
  had_threads = __libc_single_threaded == 0;
  for (size_t i = 0; i < lock_count; ++i) locks[i]->lock_for_fork();
  forking = true;
}

void parent() {
  forking = false;
  for (size_t i = lock_count; i-- > 0;) locks[i]->unlock_after_fork();
}

void child() {
  forking = false;
  for (size_t i = lock_count; i-- > 0;) locks[i]->reset_in_child();
  for (size_t i = 0; i < child_hook_count; ++i) child_hooks[i]();
}

}  // namespace

bool this_thread_is_forking() { return forking; }

bool parent_had_threads() { return had_threads; }

void register_fork_lock(Mutex& mutex) {
  if (lock_count == kMaxLocks) __builtin_trap();
  size_t i = lock_count++;
  for (; i > 0 && locks[i - 1]->rank() > mutex.rank(); --i) locks[i] = locks[i - 1];
  locks[i] = &mutex;
}

void register_fork_child(void (*mend)()) {
  if (child_hook_count == kMaxChildHooks) __builtin_trap();
  child_hooks[child_hook_count++] = mend;
}

void install_fork_handlers() {
  if (installed) return;
  installed = true;
  pthread_atfork(prepare, parent, child);
}

}  // namespace gabion::os
