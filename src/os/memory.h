// Pages from the kernel. Sizes are bytes, addresses and sizes are multiples of page_size(). Every
// function keeps errno, takes no lock and may be called before libc is initialised.
#ifndef GABION_OS_MEMORY_H_
#define GABION_OS_MEMORY_H_

#include <cstddef>
#include <cstdint>

namespace gabion::os {

// The kernel's page size, read from the auxiliary vector: 4 KiB, 16 KiB or 64 KiB.
size_t page_size();

// Maps zeroed private memory exactly at `address`. False if something is mapped there or the
// kernel has no memory; nothing changed then.
bool map_at(uintptr_t address, size_t size);

// Maps zeroed private memory where the kernel likes; nullptr if it has none.
void* map_anywhere(size_t size);

void unmap(void* address, size_t size);

// Gives the pages back; the range stays mapped and reads as zero. False when the kernel refused
// (locked memory): contents are then unchanged.
bool decommit(void* address, size_t size);

// Moves the pages of [from, from + size) to `to`, whose own pages are dropped. The old range stays
// mapped and reads as zero. False when the kernel cannot, as where the range is more than one
// mapping: nothing has changed then.
bool move_pages(void* from, void* to, size_t size);

// Makes a range inaccessible, or accessible again.
bool protect_none(void* address, size_t size);
bool protect_read_write(void* address, size_t size);

// Keeps transparent huge pages away from a range.
void forbid_huge_pages(void* address, size_t size);

// True when the kernel uses huge pages without being asked (THP "always").
bool huge_pages_are_default();

}  // namespace gabion::os

#endif  // GABION_OS_MEMORY_H_
