#include "tally.h"

#include <stdlib.h>

static struct request* tally_pop(struct tally* tally) {
  struct request* request = NULL;
  pthread_mutex_lock(&tally->lock);
  while (tally->head == tally->tail && !tally->closed) {
    pthread_cond_wait(&tally->changed, &tally->lock);
  }
  if (tally->head != tally->tail) request = tally->queue[tally->head++ % TALLY_QUEUE];
  pthread_cond_broadcast(&tally->changed);
  pthread_mutex_unlock(&tally->lock);
  return request;
}

static void* tally_main(void* argument) {
  struct tally* tally = argument;
  for (struct request* request; (request = tally_pop(tally)) != NULL;) {
    ++tally->requests;
    tally->bytes += request->bytes;
    free(request);
  }
  return NULL;
}

void tally_start(struct tally* tally) {
  pthread_mutex_init(&tally->lock, NULL);
  pthread_cond_init(&tally->changed, NULL);
  if (pthread_create(&tally->thread, NULL, tally_main, tally) != 0) abort();
}

void tally_push(struct tally* tally, struct request* request) {
  pthread_mutex_lock(&tally->lock);
  while (tally->tail - tally->head == TALLY_QUEUE) {
    pthread_cond_wait(&tally->changed, &tally->lock);
  }
  tally->queue[tally->tail++ % TALLY_QUEUE] = request;
  pthread_cond_broadcast(&tally->changed);
  pthread_mutex_unlock(&tally->lock);
}

void tally_finish(struct tally* tally) {
  pthread_mutex_lock(&tally->lock);
  tally->closed = true;
  pthread_cond_broadcast(&tally->changed);
  pthread_mutex_unlock(&tally->lock);
  pthread_join(tally->thread, NULL);
}
