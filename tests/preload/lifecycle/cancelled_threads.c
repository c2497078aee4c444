/* Threads that are cancelled in the middle of their work, with clean-up handlers that free. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "tests/preload/check.h"

static void* work(void* unused) {
  (void)unused;
  for (;;) {
    char* block = malloc(500);
    pthread_cleanup_push(free, block);
    memset(block, 'c', 500);
    pthread_testcancel();
    pthread_cleanup_pop(1);
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < 60; ++i) {
    pthread_t threads[4];
    for (int j = 0; j < 4; ++j) CHECK(pthread_create(&threads[j], NULL, work, NULL) == 0);
    usleep(500);
    for (int j = 0; j < 4; ++j) CHECK(pthread_cancel(threads[j]) == 0);
    for (int j = 0; j < 4; ++j) {
      void* result = NULL;
      CHECK(pthread_join(threads[j], &result) == 0 && result == PTHREAD_CANCELED);
    }
  }
  puts("cancelled");
  return 0;
}
