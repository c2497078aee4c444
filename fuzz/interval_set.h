// The address ranges of all live blocks, in order, none overlapping another.
#ifndef GABION_FUZZ_INTERVAL_SET_H_
#define GABION_FUZZ_INTERVAL_SET_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace gabion::fuzz {

struct Interval {
  std::uintptr_t begin;
  std::uintptr_t end;
};

// A sorted array, not a std::map: the model must not allocate from what it watches.
template <std::size_t kCapacity>
class IntervalSet {
 public:
  // One that overlaps `other`, or null.
  const Interval* overlapping(Interval other) {
    const Interval* next = first_not_before(other.begin);
    if (next != end() && next->begin < other.end) return next;
    if (next != intervals_.data() && other.begin < next[-1].end) return next - 1;
    return nullptr;
  }

  // `added` overlaps none, and there is room.
  void insert(Interval added) {
    Interval* next = first_not_before(added.begin);
    std::copy_backward(next, end(), end() + 1);
    *next = added;
    ++count_;
  }

  // Whether there was an interval that begins there.
  bool erase(std::uintptr_t begin) {
    Interval* found = first_not_before(begin);
    if (found == end() || found->begin != begin) return false;
    std::copy(found + 1, end(), found);
    --count_;
    return true;
  }

  void clear() { count_ = 0; }

 private:
  Interval* end() { return intervals_.data() + count_; }

  Interval* first_not_before(std::uintptr_t begin) {
    return std::lower_bound(
        intervals_.data(), end(), begin,
        [](const Interval& interval, std::uintptr_t value) { return interval.begin < value; });
  }

  std::array<Interval, kCapacity> intervals_;
  std::size_t count_ = 0;
};

}  // namespace gabion::fuzz

#endif  // GABION_FUZZ_INTERVAL_SET_H_
