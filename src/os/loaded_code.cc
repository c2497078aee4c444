#include "src/os/loaded_code.h"

#include <dlfcn.h>

#if defined(DLFO_STRUCT_HAS_EH_DBASE)
extern "C" __attribute__((weak)) int _dl_find_object(void*, dl_find_object*) noexcept;
#endif

namespace gabion::os {

#if defined(DLFO_STRUCT_HAS_EH_DBASE)

bool can_find_loaded_code() { return &_dl_find_object != nullptr; }

bool find_loaded_code(uintptr_t address, LoadedCode& found) {
  if (!can_find_loaded_code()) return false;
  dl_find_object object;
  if (_dl_find_object(reinterpret_cast<void*>(address), &object) != 0) return false;
  found.begin = reinterpret_cast<uintptr_t>(object.dlfo_map_start);
  found.end = reinterpret_cast<uintptr_t>(object.dlfo_map_end);
  found.module = object.dlfo_link_map;
  found.eh_frame_hdr = static_cast<const uint8_t*>(object.dlfo_eh_frame);
  return true;
}

#else

bool can_find_loaded_code() { return false; }
bool find_loaded_code(uintptr_t, LoadedCode&) { return false; }

#endif

}  // namespace gabion::os
