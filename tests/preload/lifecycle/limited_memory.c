/* Under limits on address space and data, from 64 MiB up, a program starts, works, and is told
 * ENOMEM when there is no more; it goes on after that. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/preload/check.h"

static void work_until_refused(void) {
  enum { kMost = 4096 };
  static char* blocks[kMost];
  size_t count = 0;
  for (; count < kMost; ++count) {
    errno = 0;
    blocks[count] = malloc(1 << 20);
    if (blocks[count] == NULL) break;
    blocks[count][1000] = 'l';
  }
  CHECK(count > 0 && count < kMost && errno == ENOMEM);
  CHECK(realloc(blocks[0], (size_t)8 << 30) == NULL && blocks[0][1000] == 'l');
  for (size_t i = 0; i < count; ++i) free(blocks[i]);
  for (int i = 0; i < 1000; ++i) { /* and small ones still work */
    char* small = malloc(100);
    CHECK(small != NULL);
    KEEP(small);
    free(small);
  }
}

int main(int argc, char** argv) {
  if (argc > 1) {
    work_until_refused();
    return 0;
  }
  const int resources[] = {RLIMIT_AS, RLIMIT_DATA};
  for (int i = 0; i < 2; ++i) {
    for (size_t mib = 64; mib <= 256; mib *= 2) {
      const pid_t child = fork();
      CHECK(child >= 0);
      if (child == 0) {
        const struct rlimit limit = {mib << 20, mib << 20};
        CHECK(setrlimit((unsigned)resources[i], &limit) == 0);
        execl("/proc/self/exe", argv[0], "limited", (char*)NULL);
        _exit(99);
      }
      int status = 0;
      CHECK(waitpid(child, &status, 0) == child);
      if (status != 0) {
        fprintf(stderr, "%s of %zu MiB: status %#x\n", i == 0 ? "RLIMIT_AS" : "RLIMIT_DATA", mib,
                (unsigned)status);
        return 1;
      }
    }
  }
  puts("worked within limits");
  return 0;
}
