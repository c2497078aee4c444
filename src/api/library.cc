#include "src/api/library.h"

#include "src/hardening/allocator.h"

// The Itanium C++ ABI's atexit. A null `library` belongs to no library: it is not run when ours is
// finalised, but in its turn among all that was ever registered.
extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* library) noexcept;

namespace gabion::api {
namespace {

void finish_library(void*) { hardening::finish(); }

// The loader runs this before the constructors of any other library, because of -z initfirst; in a
// program that Gabion is linked into, static_start.cc comes before it.
[[gnu::constructor(101)]] void start_at_load() { start_library(); }

}  // namespace

// The exit checks must come last: after the program's atexit handlers and static destructors, and
// after the destructors of all libraries, which still use and free memory. exit() runs handlers in
// the reverse order of registration, and the loader's own one, which finalises all libraries, is
// registered when the last of their constructors has returned. So what is registered before it, in
// the first constructor of all, runs after it.
//
// exit() may be called again in that last handler to change the exit status: no handlers are left,
// and libc still flushes its streams.
void start_library() {
  static constinit bool started = false;
  if (started) return;
  started = true;
  hardening::start();  // and what lies below it
  __cxa_atexit(finish_library, nullptr, nullptr);
}

}  // namespace gabion::api
