#include "src/backtrace/start.h"

#include "src/backtrace/stack_depot.h"
#include "src/base/text.h"
#include "src/os/fork.h"
#include "src/os/process.h"

namespace gabion::backtrace {
namespace {

const char* description(Unwinder unwinder) {
  switch (unwinder) {
    case Unwinder::kTables:
      return "unwind tables";
    case Unwinder::kLibunwind:
      return "libunwind";
    default:
      return "frame pointers only";
  }
}

void warn_of(Unwinder wanted, Unwinder used) {
  base::FixedText<256> line;
  if (wanted != Unwinder::kLibunwind) line << "this C library cannot look up unwind tables";
  if (wanted == Unwinder::kAuto) line << ", and ";
  if (wanted != Unwinder::kTables) line << "libunwind.so.8 cannot be loaded";
  line << ": stacks are followed by " << description(used);
  os::warn(line.view());
}

}  // namespace

void start(Unwinder wanted) {
  os::register_fork_lock(stack_depot().mutex());
  const Unwinder used = use_unwinder(wanted);
  const bool as_wanted = wanted == Unwinder::kAuto ? used != Unwinder::kFrames : used == wanted;
  if (!as_wanted) warn_of(wanted, used);
}

}  // namespace gabion::backtrace
