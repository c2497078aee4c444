#include "src/hardening/stacks.h"

#include <algorithm>
#include <span>

#include "src/backtrace/stack_depot.h"
#include "src/backtrace/unwind.h"
#include "src/hardening/options.h"
#include "src/hardening/profile.h"
#include "src/hardening/thread_number.h"

namespace gabion::hardening {
namespace {

size_t capture_bounded(backtrace::CallSite site, std::span<uintptr_t> frames,
                       backtrace::Rules rules) {
  const size_t depth = std::min<size_t>(options().stack_depth, frames.size());
  return backtrace::capture(site, frames.first(depth), rules);
}

}  // namespace

Event record_event(backtrace::CallSite site) {
  if constexpr (!kProfile.backtraces) return {};
  uintptr_t frames[backtrace::kMaxFrames];
  const size_t size = capture_bounded(site, frames, backtrace::Rules::kCached);
  return {backtrace::stack_depot().put({frames, size}), thread_number()};
}

CapturedStack::CapturedStack(backtrace::CallSite site)
    : size_(capture_bounded(site, frames_, backtrace::Rules::kFresh)) {}

backtrace::Frames stack_of(Event event) { return backtrace::stack_depot().get(event.stack); }

}  // namespace gabion::hardening
