// The production heap, whole: what the layers above may call. Fast paths are inline in
// thread_cache.h; this page is their contract.
#ifndef GABION_HEAP_HEAP_H_
#define GABION_HEAP_HEAP_H_

#include <cstddef>
#include <cstdint>

namespace gabion::heap {

inline constexpr size_t kMinAlignment = 16;

// The largest size and alignment that are tried (16 TiB, as much as the range can ever be);
// greater ones fail at once.
inline constexpr size_t kMaxSize = size_t{1} << 44;

enum class Corruption : uint8_t {
  kDoubleFree,      // the slot's free bit is set already
  kInvalidPointer,  // not the start of a block
};

// What the layer above decides, defined there (one definition a profile) and constant.
struct Configuration {
  // Bytes of out-of-line memory that every slot (and every large block) carries for the layer
  // above, zero at first, kept until overwritten; see side(). A multiple of 4, at most 64.
  size_t side_bytes;
  // Called at the offending or a later call, without locks. When it returns, the pointer is
  // dropped.
  void (*on_corruption)(Corruption what, void* pointer);
};
extern const Configuration kConfiguration;

// Dirty memory older than this is given back; UINT32_MAX never. Default 1000.
void set_decay_milliseconds(uint32_t milliseconds);

// Registers locks, fork handlers and the thread-exit hook with libc. The heap works before this
// (it initialises itself at the first call), but threads are not cleaned up and fork is not
// covered.
void start();

// --- Blocks. All return nullptr when memory is short; none sets errno; errno is kept. ---

inline void* allocate(size_t size);  // 16-byte aligned
void* allocate_zeroed(size_t size);
void* allocate_aligned(size_t alignment, size_t size);  // alignment: any power of two
inline void deallocate(void* block);                    // nullptr is nothing
void* reallocate(void* block, size_t size);             // block not null, size not 0
bool resize_in_place(void* block, size_t size);         // contents and address kept
size_t usable_size(const void* block);                  // of a live block

// --- Looking at memory. Any pointer may be asked about. ---

struct BlockView {
  void* start = nullptr;   // nullptr: not in a block of this heap
  size_t size = 0;         // of the slot, all usable
  void* side = nullptr;    // kConfiguration.side_bytes bytes, 4-byte aligned (16 if side_bytes is)
  bool large = false;      // has its own pages
  bool allocated = false;  // false: the heap holds it free (a thread cache counts as allocated)
};

// The block that `pointer` points into, at any offset.
BlockView find_block(const void* pointer);

// True if the address lies in the heap's range, in a block or not.
bool contains(const void* pointer);

// The side bytes of a live block, given its start.
void* side(const void* block);

// Calls visit(block, context) for every slot that was ever handed out and is not held free by its
// slab. Page-level state does not change meanwhile; visit may not call the heap.
void visit_blocks(void (*visit)(const BlockView& block, void* context), void* context);

// --- Control and statistics. ---

// Gives back to the kernel what can be given back now; true if anything was.
bool trim();

struct Statistics {
  size_t mapped;        // bytes of address space taken for blocks
  size_t resident;      // of these, possibly resident (in use or dirty)
  size_t dirty;         // free but not given back yet
  size_t metadata;      // bytes for page map, spans, slabs, caches
  size_t small_in_use;  // bytes of slots handed out, cached ones left out
  size_t large_in_use;  // bytes of blocks with their own pages
  size_t large_count;
  size_t cached;  // bytes in thread caches
  size_t heaps;   // heaps of threads, orphans included
  size_t peak_mapped;
};
Statistics statistics();

// Verifies every invariant it can, trapping with a message on the first that fails. For tests; the
// caller makes sure that no other thread uses the heap.
void check_invariants();

}  // namespace gabion::heap

#include "src/heap/thread_cache.h"  // the inline definitions

#endif  // GABION_HEAP_HEAP_H_
