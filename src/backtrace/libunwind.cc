#include "src/backtrace/libunwind.h"

#define UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <errno.h>
#include <libunwind.h>

#include <algorithm>
#include <atomic>

#include "src/backtrace/stack_window.h"
#include "src/os/fork.h"
#include "src/os/process.h"

// A program without a dynamic loader has none.
extern "C" __attribute__((weak)) decltype(dlopen) dlopen;
extern "C" __attribute__((weak)) decltype(dlsym) dlsym;

namespace gabion::backtrace {
namespace {

// The header gives its functions other names, which depend on the processor.
#define GABION_STRING(x) #x
#define GABION_NAME_OF(x) GABION_STRING(x)

constexpr char kLibrary[] = "libunwind.so.8";
constexpr char kBacktrace[] = "unw_backtrace";
constexpr char kSetCachingPolicy[] = GABION_NAME_OF(unw_set_caching_policy);
constexpr char kLocalAddressSpace[] = GABION_NAME_OF(unw_local_addr_space);

#undef GABION_NAME_OF
#undef GABION_STRING

using Backtrace = int(void** frames, int size);

// Frames between the entry point and libunwind: the allocator is shallow.
constexpr size_t kOwnFrames = 16;

// A walk over code that is new to it takes some 8 KiB; its first one in a thread may allocate.
constexpr size_t kStackNeeded = size_t{24} << 10;

constinit std::atomic<Backtrace*> unwind{nullptr};
constinit thread_local bool inside = false;

template <typename T>
T* find_symbol(void* library, const char* name) {
  return reinterpret_cast<T*>(dlsym(library, name));
}

void mend_child() {
  if (os::parent_had_threads()) unwind.store(nullptr, std::memory_order_relaxed);
}

Backtrace* open_library() {
  if (&dlopen == nullptr || &dlsym == nullptr) return nullptr;
  os::provide_environment();
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto set_caching_policy =
      find_symbol<decltype(unw_set_caching_policy)>(library, kSetCachingPolicy);
  const auto address_space = find_symbol<unw_addr_space_t>(library, kLocalAddressSpace);
  const auto backtrace = find_symbol<Backtrace>(library, kBacktrace);
  if (set_caching_policy == nullptr || address_space == nullptr || backtrace == nullptr) {
    return nullptr;
  }
  // Not the cache that unw_backtrace has for each thread, but one below it for the whole process,
  // whose lock would be held while waiting for the loader: a deadlock with a dlclose that frees.
  if (set_caching_policy(*address_space, UNW_CACHE_NONE) != 0) return nullptr;
  void* frames[kOwnFrames];
  if (backtrace(frames, kOwnFrames) <= 0) return nullptr;
  return backtrace;
}

}  // namespace

bool load_libunwind() {
  static constinit bool loaded = false;
  if (loaded) return unwind.load(std::memory_order_relaxed) != nullptr;
  loaded = true;
  Backtrace* const found = open_library();
  if (found == nullptr) return false;
  os::register_fork_child(mend_child);
  unwind.store(found, std::memory_order_release);
  return true;
}

[[gnu::noinline]] size_t capture_by_libunwind(CallSite site, std::span<uintptr_t> frames) {
  Backtrace* const backtrace = unwind.load(std::memory_order_acquire);
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (backtrace == nullptr || inside || !has_stack_left(here, kStackNeeded)) return 0;
  void* found[kOwnFrames + kMaxFrames];
  const size_t room = std::min(kOwnFrames + frames.size(), std::size(found));
  const int saved_errno = errno;
  inside = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const int answer = backtrace(found, static_cast<int>(room));
  std::atomic_signal_fence(std::memory_order_seq_cst);
  inside = false;
  errno = saved_errno;
  if (answer <= 0) return 0;
  void** const end = found + answer;
  void** const first = std::find(found, end, reinterpret_cast<void*>(site.return_address));
  const size_t count = std::min(static_cast<size_t>(end - first), frames.size());
  std::transform(first, first + count, frames.begin(),
                 [](void* pc) { return reinterpret_cast<uintptr_t>(pc); });
  return count;
}

}  // namespace gabion::backtrace
