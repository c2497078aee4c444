// The start of this room.
#ifndef GABION_BACKTRACE_START_H_
#define GABION_BACKTRACE_START_H_

#include "src/backtrace/unwind.h"

namespace gabion::backtrace {

// Once, early, from one thread; captures before it work. Makes the depot's lock take part in fork,
// and chooses what stacks are followed by. Says in one line when that is not what was wanted, or
// nothing but frame pointers.
void start(Unwinder wanted);

}  // namespace gabion::backtrace

#endif  // GABION_BACKTRACE_START_H_
