/* A thread's first malloc, and work after it, on the smallest stack that a thread may have. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "tests/preload/check.h"

static void* work(void* unused) {
  (void)unused;
  for (size_t size = 1; size < 3000000; size = size * 3 / 2 + 1) {
    char* block = calloc(1, size);
    CHECK(block != NULL);
    block = realloc(block, size * 2);
    CHECK(block != NULL);
    free(block);
  }
  void* aligned = NULL;
  CHECK(posix_memalign(&aligned, 4096, 10000) == 0);
  free(aligned);
  return NULL;
}

int main(void) {
  pthread_attr_t smallest;
  pthread_attr_init(&smallest);
  CHECK(pthread_attr_setstacksize(&smallest, (size_t)sysconf(_SC_THREAD_STACK_MIN)) == 0);
  for (int i = 0; i < 50; ++i) {
    pthread_t thread;
    CHECK(pthread_create(&thread, &smallest, work, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
  }
  puts("worked");
  return 0;
}
