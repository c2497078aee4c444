#include "src/api/new_failure.h"

#include "src/api/alignment.h"
#include "src/api/cxx_runtime.h"

namespace gabion::api {

void* retry_new(size_t size, size_t alignment, AllocationKind kind, CallSite site) {
  // libstdc++ refuses such an alignment without asking the handler, who could not help.
  if (alignment != 0 && !is_power_of_two(alignment)) return nullptr;
  for (;;) {
    const NewHandler handler = new_handler(site.return_address);
    if (handler == nullptr) return out_of_memory();
    handler();
    void* const block = alignment == 0 ? try_allocate(size, kind, site)
                                       : try_allocate_aligned(alignment, size, kind, site);
    if (block != nullptr) return block;
  }
}

void* new_or_throw(size_t size, size_t alignment, AllocationKind kind, CallSite site) {
  void* const block = retry_new(size, alignment, kind, site);
  if (block == nullptr) throw_bad_alloc(site.return_address);
  return block;
}

}  // namespace gabion::api
