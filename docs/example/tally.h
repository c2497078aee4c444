// Adds up requests on a thread of its own.
#ifndef EXAMPLE_TALLY_H_
#define EXAMPLE_TALLY_H_

#include <pthread.h>
#include <stdbool.h>

#include "request.h"

#define TALLY_QUEUE 16

struct tally {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct request* queue[TALLY_QUEUE];
  unsigned head, tail;
  bool closed;
  long requests, bytes;
};

void tally_start(struct tally* tally);
void tally_push(struct tally* tally, struct request* request);  // takes the request over
void tally_finish(struct tally* tally);                         // waits until all are added up

#endif  // EXAMPLE_TALLY_H_
