// The second way to follow a stack: nongnu libunwind, loaded at run time.
//
// Why our own reading of the tables comes first. libunwind finds a function's table by
// dl_iterate_phdr, which waits for the dynamic loader: while another thread is in dlopen or dlclose
// (which frees memory, and so captures stacks itself, with the loader's lock held), and in a forked
// child for ever, if some other thread was there when the parent forked. It keeps what it learned
// of an address for good, so a library that was unloaded leaves rules behind for the code that
// comes to lie there, and it follows those without a check of what it reads. It keeps a pipe, so
// that two of the program's file descriptor numbers are taken, and half a MiB for each thread. And
// it is no faster: both take some 250 ns for 25 frames that they have seen before. But it needs no
// _dl_find_object, which glibc has since 2.35 only, and knows other processors.
//
// It comes by dlopen(RTLD_LOCAL), never as a dependency: it exports _Unwind_*, which would take the
// place of libgcc's in the program's C++ exceptions.
#ifndef GABION_BACKTRACE_LIBUNWIND_H_
#define GABION_BACKTRACE_LIBUNWIND_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/backtrace/stack.h"

namespace gabion::backtrace {

// False when there is no libunwind.so.8, or it does not work. One thread at a time, and not under
// any lock: the loader allocates.
bool load_libunwind();

// As capture(), but gives 0 where libunwind cannot be used: inside libunwind (its first use in a
// thread may allocate, and signals interrupt it), with too little stack left, when no frame is the
// call site's, and in a child whose parent had other threads. That is all that fork needs:
// elsewhere in a child, nobody else can have been inside libunwind or the loader.
size_t capture_by_libunwind(CallSite site, std::span<uintptr_t> frames);

}  // namespace gabion::backtrace

#endif  // GABION_BACKTRACE_LIBUNWIND_H_
