/* 8 GiB have come and gone, 2 at a time, when the process forks: there must be no reservation left
 * that a fork would have to account for, and nothing to copy. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/preload/lifecycle/rss.h"

enum { kRounds = 4, kBlocks = 32, kSize = 64 << 20 };

int main(void) {
  char* blocks[kBlocks];
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kBlocks; ++i) {
      blocks[i] = malloc(kSize);
      CHECK(blocks[i] != NULL);
      blocks[i][0] = blocks[i][kSize - 1] = 'x';
    }
    for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  }
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      void* block = malloc(10 * MIB);
      KEEP(block);
      _exit(block != NULL ? 0 : 1);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  }
  puts("forked");
  return 0;
}
