// The check behind check_invariants(): stops with a message at the first thing that cannot be.
#ifndef GABION_HEAP_INVARIANT_H_
#define GABION_HEAP_INVARIANT_H_

#include <string_view>

#include "src/os/process.h"

namespace gabion::heap {

inline void invariant(bool holds, std::string_view what) {
  if (!holds) [[unlikely]]
    os::die(what);
}

}  // namespace gabion::heap

#endif  // GABION_HEAP_INVARIANT_H_
