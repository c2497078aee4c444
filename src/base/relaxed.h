// A value that one thread writes and others may read at any time, such as a statistic: loads and
// stores are relaxed atomics, which compile to plain moves, and a read-modify-write is not atomic.
#ifndef GABION_BASE_RELAXED_H_
#define GABION_BASE_RELAXED_H_

#include <atomic>

namespace gabion::base {

template <typename T>
class Relaxed {
 public:
  constexpr Relaxed() = default;
  constexpr Relaxed(T value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  Relaxed(const Relaxed& other) : value_(other.get()) {}
  Relaxed& operator=(const Relaxed& other) {
    set(other.get());
    return *this;
  }

  T get() const { return value_.load(std::memory_order_relaxed); }
  void set(T value) { value_.store(value, std::memory_order_relaxed); }
  void add(T delta) { set(static_cast<T>(get() + delta)); }
  void subtract(T delta) { set(static_cast<T>(get() - delta)); }

 private:
  std::atomic<T> value_{};
};

}  // namespace gabion::base

#endif  // GABION_BASE_RELAXED_H_
