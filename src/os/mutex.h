// The one lock of the runtime: a futex of three states (free, held, held with waiters), usable
// before libc is initialised, never allocating, and known to fork.
//
// Ranks: a thread may take a lock only while all it holds have a lower rank. That order is asserted
// where GABION_CHECK_LOCK_RANKS is set (all test builds), and it is the order in which fork takes
// them, so fork cannot deadlock with any nesting that the assertion permits.
#ifndef GABION_OS_MUTEX_H_
#define GABION_OS_MUTEX_H_

#include <atomic>
#include <cstdint>

namespace gabion::os {

enum class LockRank : uint8_t {
  kReport,      // one report at a time
  kQuarantine,  // the process-wide quarantine
  kDepot,       // stack depot growth
  kFallback,    // the shared heap of threads without one
  kRegistry,    // heaps: ids, orphans
  kPageHeap,    // free runs of pages
  kArena,       // metadata blocks
  kRange,       // growth of the address range
  kCount,
};

class Mutex {
 public:
  constexpr explicit Mutex(LockRank rank) : rank_(rank) {}
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock();
  bool try_lock();
  void unlock();

  LockRank rank() const { return rank_; }

  // For fork alone: the lock itself, even in a thread that is inside fork.
  void lock_for_fork();
  void unlock_after_fork();
  void reset_in_child() { state_.store(0, std::memory_order_relaxed); }

 private:
  void acquire();
  void release();

  std::atomic<uint32_t> state_{0};
  LockRank rank_;
};

class MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace gabion::os

#endif  // GABION_OS_MUTEX_H_
