#include "src/os/memory.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include <cstring>
#include <string_view>

#include "src/os/syscall.h"

namespace gabion::os {
namespace {

#ifndef MAP_FIXED_NOREPLACE
constexpr int MAP_FIXED_NOREPLACE = 0x100000;
#endif
#ifndef MREMAP_DONTUNMAP
constexpr int MREMAP_DONTUNMAP = 4;
#endif

constexpr int kReadWrite = PROT_READ | PROT_WRITE;
constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS;

}  // namespace

size_t page_size() {
  static size_t cached = 0;  // an idempotent write: every thread stores the same value
  size_t size = __atomic_load_n(&cached, __ATOMIC_RELAXED);
  if (size == 0) {
    size = getauxval(AT_PAGESZ);
    if (size == 0) size = 4096;
    __atomic_store_n(&cached, size, __ATOMIC_RELAXED);
  }
  return size;
}

bool map_at(uintptr_t address, size_t size) {
  const SyscallResult result =
      system_call(SYS_mmap, address, size, kReadWrite, kPrivate | MAP_FIXED_NOREPLACE, -1, 0);
  if (!result.ok()) return false;
  if (static_cast<uintptr_t>(result.raw) == address) return true;
  // A kernel before 4.17 takes the address for a hint.
  system_call(SYS_munmap, result.raw, size);
  return false;
}

void* map_anywhere(size_t size) {
  const SyscallResult result = system_call(SYS_mmap, 0, size, kReadWrite, kPrivate, -1, 0);
  return result.ok() ? reinterpret_cast<void*>(result.raw) : nullptr;
}

void unmap(void* address, size_t size) { system_call(SYS_munmap, address, size); }

bool decommit(void* address, size_t size) {
  return system_call(SYS_madvise, address, size, MADV_DONTNEED).ok();
}

// Not in one step: with MREMAP_FIXED the kernel drops what is at `to` before it notices that it
// cannot move (that `from` is more than one mapping, until 6.17), and later ones may stop half way.
// Without it all of the range is moved, or nothing; and then it is one mapping.
bool move_pages(void* from, void* to, size_t size) {
  const SyscallResult between =
      system_call(SYS_mremap, from, size, size, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, 0);
  if (!between.ok()) return false;
  void* const middle = reinterpret_cast<void*>(between.raw);
  if (!system_call(SYS_mremap, middle, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to).ok()) {
    memcpy(to, middle, size);
    unmap(middle, size);
  }
  return true;
}

bool protect_none(void* address, size_t size) {
  return system_call(SYS_mprotect, address, size, PROT_NONE).ok();
}

bool protect_read_write(void* address, size_t size) {
  return system_call(SYS_mprotect, address, size, kReadWrite).ok();
}

void forbid_huge_pages(void* address, size_t size) {
  system_call(SYS_madvise, address, size, MADV_NOHUGEPAGE);
}

bool huge_pages_are_default() {
  const SyscallResult file = system_call(
      SYS_openat, AT_FDCWD, "/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);
  if (!file.ok()) return false;
  char text[64];
  const SyscallResult got = system_call(SYS_read, file.raw, text, sizeof text);
  system_call(SYS_close, file.raw);
  if (!got.ok()) return false;
  return std::string_view(text, static_cast<size_t>(got.raw)).find("[always]") !=
         std::string_view::npos;
}

}  // namespace gabion::os
