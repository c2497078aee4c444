// Which loaded object an address belongs to, found without a lock: unlike dladdr and
// dl_iterate_phdr, this may be asked while another thread is inside dlopen, dlclose or fork, and in
// a signal handler.
#ifndef GABION_OS_LOADED_CODE_H_
#define GABION_OS_LOADED_CODE_H_

#include <link.h>

#include <cstdint>

namespace gabion::os {

struct LoadedCode {
  uintptr_t begin = 0;  // of the whole object in memory
  uintptr_t end = 0;
  const link_map* module = nullptr;       // l_addr is the load bias
  const uint8_t* eh_frame_hdr = nullptr;  // PT_GNU_EH_FRAME; nullptr if the object has none
};

// False where the C library cannot tell (glibc before 2.35): find_loaded_code then finds nothing.
bool can_find_loaded_code();

bool find_loaded_code(uintptr_t address, LoadedCode& found);

}  // namespace gabion::os

#endif  // GABION_OS_LOADED_CODE_H_
