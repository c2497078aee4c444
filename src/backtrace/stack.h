// What the layers above hold of a stack: an id in the depot, and where to begin walking.
#ifndef GABION_BACKTRACE_STACK_H_
#define GABION_BACKTRACE_STACK_H_

#include <cstdint>

#include "src/base/frames.h"

namespace gabion::backtrace {

using base::Frames;
using base::kMaxFrames;

// A stack in the depot; 0 is "none recorded".
using StackId = uint32_t;
inline constexpr StackId kNoStack = 0;

// Where the program entered the allocator: the address it returns to, and the place of the entry
// point's frame. What that frame holds is not relied on: compilers drop it before a tail call.
struct CallSite {
  uintptr_t return_address;
  uintptr_t frame;
};

// To be used in the entry point itself.
#define GABION_CALL_SITE()                                                                 \
  (::gabion::backtrace::CallSite{reinterpret_cast<uintptr_t>(__builtin_return_address(0)), \
                                 reinterpret_cast<uintptr_t>(__builtin_frame_address(0))})

}  // namespace gabion::backtrace

#endif  // GABION_BACKTRACE_STACK_H_
