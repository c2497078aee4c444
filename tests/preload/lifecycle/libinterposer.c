/* Another preloaded library, of the kind that wraps what an allocator calls at start, and that
 * itself looks symbols up and allocates while doing so. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* The next definition of a symbol; a failed look-up beside it makes dlerror's text. */
static void* next(const char* name) {
  (void)dlsym(RTLD_NEXT, "gabion_no_such_symbol");
  (void)dlerror();
  free(malloc(64));
  return dlsym(RTLD_NEXT, name);
}

void* mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset) {
  void* (*real)(void*, size_t, int, int, int, off_t) =
      (void* (*)(void*, size_t, int, int, int, off_t))next("mmap");
  return real(address, size, protection, flags, fd, offset);
}

int open(const char* path, int flags, ...) {
  int (*real)(const char*, int, ...) = (int (*)(const char*, int, ...))next("open");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return real(path, flags, mode);
}

int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  int (*real)(int, const struct sigaction*, struct sigaction*) =
      (int (*)(int, const struct sigaction*, struct sigaction*))next("sigaction");
  return real(number, action, old);
}

/* As those do that fake the time. */
int clock_gettime(clockid_t clock, struct timespec* now) {
  static int (*real)(clockid_t, struct timespec*);
  static int entered;
  if (real == NULL && entered++ == 0) {
    enum { kBlocks = 2000, kLarge = 200000 };
    void* blocks[kBlocks];
    free(memset(malloc(kLarge), 1, kLarge));
    for (size_t i = 0; i < kBlocks; ++i) blocks[i] = malloc(i);
    for (size_t i = 0; i < kBlocks; ++i) free(blocks[i]);
    real = (int (*)(clockid_t, struct timespec*))next("clock_gettime");
  }
  if (real != NULL) return real(clock, now);
  memset(now, 0, sizeof *now);
  return 0;
}

__attribute__((constructor)) static void allocate_at_load(void) {
  free(next("malloc") != NULL ? malloc(1) : NULL);
}
