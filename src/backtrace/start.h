// The start of this room.
#ifndef GABION_BACKTRACE_START_H_
#define GABION_BACKTRACE_START_H_

namespace gabion::backtrace {

// Once, early, from one thread; captures before it work. Makes the depot's lock take part in fork,
// and says in one line when stacks can be followed by frame pointers only.
void start();

}  // namespace gabion::backtrace

#endif  // GABION_BACKTRACE_START_H_
