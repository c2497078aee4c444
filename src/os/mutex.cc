#include "src/os/mutex.h"

#include <linux/futex.h>

#include "src/os/fork.h"
#include "src/os/syscall.h"

namespace gabion::os {
namespace {

constexpr uint32_t kFree = 0;
constexpr uint32_t kHeld = 1;
constexpr uint32_t kContended = 2;

// Critical sections are some hundred instructions: a short spin usually outlasts them, and a
// longer one would only burn the time slice of a preempted holder.
constexpr int kSpins = 64;

void pause_cpu() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

#if defined(GABION_CHECK_LOCK_RANKS)
constinit thread_local uint32_t held_ranks = 0;

void note_locked(LockRank rank) {
  const uint32_t bit = uint32_t{1} << static_cast<unsigned>(rank);
  if (held_ranks >= bit) __builtin_trap();
  held_ranks |= bit;
}

void note_unlocked(LockRank rank) { held_ranks &= ~(uint32_t{1} << static_cast<unsigned>(rank)); }
#else
void note_locked(LockRank) {}
void note_unlocked(LockRank) {}
#endif

}  // namespace

void Mutex::acquire() {
  uint32_t expected = kFree;
  for (int i = 0; i < kSpins; ++i) {
    expected = kFree;
    if (state_.compare_exchange_weak(expected, kHeld, std::memory_order_acquire,
                                     std::memory_order_relaxed)) {
      return;
    }
    pause_cpu();
  }
  while (state_.exchange(kContended, std::memory_order_acquire) != kFree) {
    system_call(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, kContended, 0);
  }
}

void Mutex::release() {
  if (state_.exchange(kFree, std::memory_order_release) == kContended) {
    system_call(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1);
  }
}

// A thread inside fork holds every lock already, so whatever runs there (other libraries' fork
// handlers allocate) passes through without taking any.
void Mutex::lock() {
  if (this_thread_is_forking()) return;
  note_locked(rank_);
  acquire();
}

bool Mutex::try_lock() {
  if (this_thread_is_forking()) return true;
  uint32_t expected = kFree;
  if (!state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
    return false;
  }
  note_locked(rank_);
  return true;
}

void Mutex::unlock() {
  if (this_thread_is_forking()) return;
  note_unlocked(rank_);
  release();
}

void Mutex::lock_for_fork() { acquire(); }

void Mutex::unlock_after_fork() { release(); }

}  // namespace gabion::os
