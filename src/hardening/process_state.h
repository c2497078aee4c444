// What the layer holds for the whole process, and the moment it begins.
#ifndef GABION_HARDENING_PROCESS_STATE_H_
#define GABION_HARDENING_PROCESS_STATE_H_

#include <atomic>
#include <cstdint>

#include "src/hardening/quarantine.h"

namespace gabion::hardening {

extern constinit Quarantine quarantine;

extern constinit std::atomic<bool> initialized;
void initialize_slow();

// Options, keys and limits; by the first call of all. Calls nothing of libc that allocates, locks
// or may not be ready, so it is right in the loader, in constructors and under other preloaded
// libraries.
inline void ensure_initialized() {
  if (!initialized.load(std::memory_order_acquire)) [[unlikely]]
    initialize_slow();
}

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_PROCESS_STATE_H_
