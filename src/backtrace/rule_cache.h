// Remembers frame rules by program counter, for all threads.
//
// An entry is two words: the rule, and the rule XOR the program counter. They are read and written
// with relaxed atomics and no lock. A reader that meets a half-written entry, or halves of two
// different ones, gets a program counter that is not its own and calls it a miss; to be fooled,
// two rules and two counters would have to differ by the same bits at the same time, and then the
// counters would share the entry and differ where packed rules do. Nothing else is published
// through an entry, so no order between threads is needed. A signal handler or a forked child finds
// the table as good as anybody.
#ifndef GABION_BACKTRACE_RULE_CACHE_H_
#define GABION_BACKTRACE_RULE_CACHE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/backtrace/frame_rule.h"

namespace gabion::backtrace {

class RuleCache {
 public:
  bool find(uintptr_t pc, FrameRule& rule) const {
    const Entry& entry = entries_[index_of(pc)];
    const uint64_t packed = entry.rule.load(std::memory_order_relaxed);
    if ((entry.check.load(std::memory_order_relaxed) ^ packed) != pc) return false;
    rule = unpack(packed);
    return true;
  }

  void insert(uintptr_t pc, FrameRule rule) {
    Entry& entry = entries_[index_of(pc)];
    const uint64_t packed = pack(rule);
    entry.check.store(pc ^ packed, std::memory_order_relaxed);
    entry.rule.store(packed, std::memory_order_relaxed);
  }

 private:
  static constexpr unsigned kBits = 14;

  struct Entry {
    std::atomic<uint64_t> check{0};
    std::atomic<uint64_t> rule{0};
  };

  static size_t index_of(uintptr_t pc) { return (pc * 0x9e3779b97f4a7c15) >> (64 - kBits); }

  Entry entries_[size_t{1} << kBits];
};

}  // namespace gabion::backtrace

#endif  // GABION_BACKTRACE_RULE_CACHE_H_
