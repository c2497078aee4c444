/* main leaves by pthread_exit; the process lives on in other threads. */
#include <pthread.h>
#include <unistd.h>

#include "tests/preload/check.h"

static void* outlive(void* from_main) {
  usleep(20000);
  for (size_t i = 0; i < 10000; ++i) free(malloc(i));
  free(from_main);
  puts("outlived main");
  exit(0);
}

int main(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, outlive, malloc(100)) == 0);
  pthread_exit(malloc(10));
}
