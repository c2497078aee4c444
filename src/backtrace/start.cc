#include "src/backtrace/start.h"

#include "src/backtrace/stack_depot.h"
#include "src/os/fork.h"
#include "src/os/loaded_code.h"
#include "src/os/process.h"

namespace gabion::backtrace {

void start() {
  os::register_fork_lock(stack_depot().mutex());
  if (!os::can_find_loaded_code()) {
    os::warn("this C library cannot look up unwind tables: stacks follow frame pointers only");
  }
}

}  // namespace gabion::backtrace
