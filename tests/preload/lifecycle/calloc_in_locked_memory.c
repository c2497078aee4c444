/* Locked pages cannot be purged: calloc must not rely on a purge that failed. */
#include <sys/mman.h>

#include "tests/preload/check.h"

enum { kRounds = 3, kBlocks = 40, kProbe = 64 << 20 };

int main(void) {
  /* Where locking is not allowed, or only of too little, the rest is still a test of calloc. */
  (void)mlockall(MCL_CURRENT | MCL_FUTURE);
  void* probe = malloc(kProbe);
  if (probe == NULL) munlockall();
  free(probe);
  for (int round = 0; round < kRounds; ++round) {
    for (size_t size = 8; size < (4u << 20); size = size * 3 / 2) {
      unsigned char* blocks[kBlocks];
      const int count = size > 100000 ? 3 : kBlocks;
      for (int i = 0; i < count; ++i) {
        blocks[i] = calloc(1, size);
        CHECK(blocks[i] != NULL);
        for (size_t byte = 0; byte < size; ++byte) {
          CHECK(blocks[i][byte] == 0);
          blocks[i][byte] = 0xee;
        }
      }
      for (int i = 0; i < count; ++i) free(blocks[i]);
    }
  }
  puts("zero");
  return 0;
}
