/* The report is made on a thread with the smallest stack there can be. */
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include "misuse.h"

STEP void* free_twice(void* unused) {
  (void)unused;
  char* buffer = make_buffer(24);
  release_buffer(buffer);
  release_again(buffer);
  return NULL;
}

int main(void) {
  pthread_attr_t smallest;
  pthread_t thread;
  pthread_attr_init(&smallest);
  if (pthread_attr_setstacksize(&smallest, (size_t)sysconf(_SC_THREAD_STACK_MIN)) != 0) abort();
  if (pthread_create(&thread, &smallest, free_twice, NULL) != 0) abort();
  pthread_join(thread, NULL);
  return 0;
}
