// Stacks as this layer needs them: recorded at each event (debug), captured for a report (all).
#ifndef GABION_HARDENING_STACKS_H_
#define GABION_HARDENING_STACKS_H_

#include <array>
#include <cstdint>

#include "src/backtrace/stack.h"
#include "src/hardening/slot_record.h"

namespace gabion::hardening {

// Who calls now: the stack is in the depot. Without backtraces, an empty event at no cost.
Event record_event(backtrace::CallSite site);

class CapturedStack {
 public:
  explicit CapturedStack(backtrace::CallSite site);
  backtrace::Frames frames() const { return {frames_.data(), size_}; }

 private:
  std::array<uintptr_t, backtrace::kMaxFrames> frames_;
  size_t size_;
};

// Empty for kNoStack.
backtrace::Frames stack_of(Event event);

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_STACKS_H_
