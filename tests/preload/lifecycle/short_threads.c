/* Thousands of short threads, each of which leaves a block to main. */
#include <pthread.h>

#include "tests/preload/lifecycle/rss.h"

enum { kThreads = 20000, kAtOnce = 10, kSize = 100 };

static void* leave_block(void* unused) {
  (void)unused;
  void* passing = malloc(3000);
  KEEP(passing);
  free(passing);
  char* block = malloc(kSize);
  CHECK(block != NULL);
  memset(block, 'l', kSize);
  return block;
}

int main(void) {
  static char* blocks[kThreads];
  for (int i = 0; i < kThreads; i += kAtOnce) {
    pthread_t threads[kAtOnce];
    for (int j = 0; j < kAtOnce; ++j) {
      CHECK(pthread_create(&threads[j], NULL, leave_block, NULL) == 0);
    }
    for (int j = 0; j < kAtOnce; ++j) {
      void* block = NULL;
      CHECK(pthread_join(threads[j], &block) == 0);
      blocks[i + j] = block;
    }
  }
  const size_t resident = resident_bytes();
  for (int i = 0; i < kThreads; ++i) {
    CHECK(blocks[i][0] == 'l' && blocks[i][kSize - 1] == 'l');
    free(blocks[i]);
  }
  CHECK(resident < resident_bound((size_t)kThreads * kSize));
  puts("bounded");
  return 0;
}
