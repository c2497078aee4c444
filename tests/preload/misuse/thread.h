/* Steps for programs with a second thread. */

#ifndef GABION_TESTS_PRELOAD_MISUSE_THREAD_H_
#define GABION_TESTS_PRELOAD_MISUSE_THREAD_H_

#include <pthread.h>

#include "misuse.h"

/* Runs body in a thread of its own and waits for its end. */
STEP void run_thread(void* (*body)(void*)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, NULL) != 0) abort();
  if (pthread_join(thread, NULL) != 0) abort();
}

#endif /* GABION_TESTS_PRELOAD_MISUSE_THREAD_H_ */
