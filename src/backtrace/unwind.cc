#include "src/backtrace/unwind.h"

#include <ucontext.h>

#include <atomic>
#include <initializer_list>

#include "src/backtrace/frame_rule.h"
#include "src/backtrace/libunwind.h"
#include "src/backtrace/rule_cache.h"
#include "src/backtrace/stack_window.h"

namespace gabion::backtrace {
namespace {

constinit RuleCache cache;
constinit std::atomic<Unwinder> current{Unwinder::kTables};

// The registers of one frame, as they are when the call that it made returns to it.
struct Registers {
  uintptr_t pc, sp, fp;
  bool exact_pc = false;  // the next instruction (after a signal), not a return address
};

[[gnu::noinline]] FrameRule read_and_keep_rule(uintptr_t pc) {
  const FrameRule rule = read_frame_rule(pc);
  cache.insert(pc, rule);
  return rule;
}

[[gnu::always_inline]] inline FrameRule find_rule(const Registers& at, Rules rules) {
  const uintptr_t pc = at.exact_pc ? at.pc : at.pc - 1;
  FrameRule rule;
  if (rules == Rules::kCached && cache.find(pc, rule)) return rule;
  return read_and_keep_rule(pc);
}

[[gnu::noinline]] bool leave_signal_frame(Registers& at, StackWindow& stack) {
#if defined(__x86_64__)
  constexpr size_t kRegisters = offsetof(ucontext_t, uc_mcontext.gregs);
  const auto saved = [&](int reg, uintptr_t& value) {
    return stack.read(at.sp + kRegisters + static_cast<size_t>(reg) * sizeof(greg_t), value);
  };
  Registers to{};
  if (!saved(REG_RIP, to.pc) || !saved(REG_RSP, to.sp) || !saved(REG_RBP, to.fp)) return false;
  to.exact_pc = true;
  at = to;  // possibly on another stack, so with any stack pointer
  return true;
#else
  return at.pc == 0 && stack.read(at.sp, at.pc);
#endif
}

// False when the rule does not lead to a readable place further up. Inlined, so that a walk keeps
// the registers of its frames in registers: each hop waits for the one before.
[[gnu::always_inline]] inline bool leave_by_rule(Registers& at, FrameRule rule,
                                                 StackWindow& stack) {
  if (rule.kind == RuleKind::kSignal) [[unlikely]] {
    Registers signalled = at;
    const bool left = leave_signal_frame(signalled, stack);
    at = signalled;
    return left;
  }
  uintptr_t cfa = (rule.kind == RuleKind::kFromSp ? at.sp : at.fp) +
                  static_cast<uintptr_t>(intptr_t{rule.cfa_offset});
  if (rule.kind == RuleKind::kFromWordAtFp && !stack.read(cfa, cfa)) return false;
  Registers to{.pc = 0, .sp = cfa, .fp = at.fp};
  if (cfa <= at.sp || !stack.read(cfa - sizeof(uintptr_t), to.pc)) return false;
  if (rule.saved_fp != SavedFp::kSame) {
    const uintptr_t base = rule.saved_fp == SavedFp::kAtCfa ? cfa : at.fp;
    if (!stack.read(base + static_cast<uintptr_t>(intptr_t{rule.fp_offset}), to.fp)) return false;
  }
  at = to;
  return true;
}

// A frame pointer points up, and not far: one that was left over from another stack leads nowhere.
[[gnu::always_inline]] inline bool leave_by_frame_pointer(Registers& at, StackWindow& stack) {
  constexpr uintptr_t kMaxFrameSize = uintptr_t{1} << 20;
  if (at.fp < at.sp || at.fp - at.sp > kMaxFrameSize) return false;
  Registers to{.pc = 0, .sp = at.fp + 2 * sizeof(uintptr_t), .fp = 0};
  if (!stack.read(at.fp, to.fp) || !stack.read(at.fp + sizeof(uintptr_t), to.pc)) return false;
  at = to;
  return true;
}

// Goes on until all frames that there is room for are known, or the stack ends. False when it
// ended where it should not.
bool walk(Registers at, StackWindow stack, std::span<uintptr_t> frames, size_t& count,
          Rules rules) {
  // A guessed hop is believed once it has led to code that has a rule.
  size_t believed = count;
  bool guessing = false;
  while (true) {
    const FrameRule rule = find_rule(at, rules);
    if (rule.kind == RuleKind::kOutermost) return true;
    if (rule.kind != RuleKind::kUnknown) guessing = false;
    if (!guessing) believed = count;
    if (count == frames.size()) return true;
    guessing |= rule.kind == RuleKind::kUnknown;
    const bool left = rule.kind == RuleKind::kUnknown ? leave_by_frame_pointer(at, stack)
                                                      : leave_by_rule(at, rule, stack);
    if (left && at.pc == 0 && !guessing) return true;
    if (!left || at.pc == 0) {
      count = believed;
      return false;
    }
    frames[count++] = at.pc;
  }
}

// From inside the allocator out to the frame that called it, whose frame pointer may have been
// kept in a register or saved anywhere since. Few hops: the allocator is shallow.
bool leave_allocator(Registers& at, uintptr_t caller_sp, StackWindow& stack, Rules rules) {
  constexpr int kMaxDepth = 16;
  for (int i = 0; i < kMaxDepth && at.sp < caller_sp; ++i) {
    const FrameRule rule = find_rule(at, rules);
    if (rule.kind == RuleKind::kUnknown || rule.kind == RuleKind::kOutermost) return false;
    if (!leave_by_rule(at, rule, stack)) return false;
  }
  return at.sp == caller_sp;
}

bool capture_from(Registers here, CallSite site, std::span<uintptr_t> frames, size_t& count,
                  Rules rules) {
  StackWindow stack(here.sp);
  const uintptr_t caller_sp = site.frame + 2 * sizeof(uintptr_t);
  if (!leave_allocator(here, caller_sp, stack, rules)) {
    here = {.pc = 0, .sp = caller_sp, .fp = 0};
    stack.read(site.frame, here.fp);
  }
  here.pc = site.return_address;
  here.exact_pc = false;
  frames[0] = site.return_address;
  count = 1;
  return walk(here, stack, frames, count, rules);
}

// A rule can outlive the code it was for: a library was unloaded, and another one lies there now.
// Wrong rules soon lead nowhere. So of the walks that end badly some are done again with fresh
// rules: all of the first ones, then few, because most ends are bad for other reasons.
bool worth_a_second_walk() {
  constinit static std::atomic<uint32_t> bad_ends{0};
  const uint32_t n = bad_ends.fetch_add(1, std::memory_order_relaxed);
  return n < 64 || n % 64 == 0;
}

size_t capture_by_tables(Registers here, CallSite site, std::span<uintptr_t> frames, Rules rules) {
  size_t count = 0;
  if (!capture_from(here, site, frames, count, rules) && rules == Rules::kCached &&
      worth_a_second_walk()) {
    capture_from(here, site, frames, count, Rules::kFresh);
  }
  return count;
}

size_t capture_by_frame_pointers(Registers here, CallSite site, std::span<uintptr_t> frames) {
  constexpr uintptr_t kNoCodeBelow = 4096;
  StackWindow stack(here.sp);
  Registers at{.pc = site.return_address, .sp = site.frame + 2 * sizeof(uintptr_t), .fp = 0};
  stack.read(site.frame, at.fp);
  size_t count = 0;
  do {
    frames[count++] = at.pc;
  } while (count < frames.size() && leave_by_frame_pointer(at, stack) && at.pc >= kNoCodeBelow);
  return count;
}

bool works(Unwinder unwinder) {
  switch (unwinder) {
    case Unwinder::kAuto:
      return false;
    case Unwinder::kTables:
      return can_read_frame_rules();
    case Unwinder::kLibunwind:
      return load_libunwind();
    case Unwinder::kFrames:
      return true;
  }
  return false;
}

}  // namespace

Unwinder use_unwinder(Unwinder wanted) {
  Unwinder used = Unwinder::kFrames;
  for (const Unwinder candidate : {wanted, Unwinder::kTables, Unwinder::kLibunwind}) {
    if (!works(candidate)) continue;
    used = candidate;
    break;
  }
  current.store(used, std::memory_order_relaxed);
  return used;
}

[[gnu::noinline]] size_t capture(CallSite site, std::span<uintptr_t> frames, Rules rules) {
  if (frames.empty()) return 0;
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const Registers here{
      .pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0)),
      .sp = frame + 2 * sizeof(uintptr_t),
      .fp = *reinterpret_cast<const uintptr_t*>(frame),
  };
  const Unwinder unwinder = current.load(std::memory_order_relaxed);
  if (unwinder == Unwinder::kTables) [[likely]] {
    return capture_by_tables(here, site, frames, rules);
  }
  if (unwinder == Unwinder::kLibunwind) {
    const size_t count = capture_by_libunwind(site, frames);
    if (count != 0) return count;
  }
  return capture_by_frame_pointers(here, site, frames);
}

}  // namespace gabion::backtrace
