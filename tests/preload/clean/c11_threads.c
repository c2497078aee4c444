#include <string.h>
#include <threads.h>

#include "tests/preload/check.h"

enum { kThreads = 16, kRounds = 500 };

static tss_t scratch;
static mtx_t lock;
static size_t total;

static int work(void* argument) {
  const size_t self = (size_t)argument;
  char* own = malloc(1000);
  CHECK(tss_set(scratch, own) == thrd_success);
  for (size_t i = 0; i < kRounds; ++i) {
    char* text = calloc(i + 1, self + 1);
    CHECK(text != NULL && text[i * self] == 0);
    memset(text, 'x', i);
    text[i] = '\0';
    snprintf(own, 1000, "%.900s", text);
    mtx_lock(&lock);
    total += strlen(own);
    mtx_unlock(&lock);
    free(text);
  }
  return (int)self;
}

int main(void) {
  thrd_t threads[kThreads];
  CHECK(tss_create(&scratch, free) == thrd_success);
  CHECK(mtx_init(&lock, mtx_plain) == thrd_success);
  for (size_t i = 0; i < kThreads; ++i) {
    CHECK(thrd_create(&threads[i], work, (void*)i) == thrd_success);
  }
  for (size_t i = 0; i < kThreads; ++i) {
    int result = -1;
    CHECK(thrd_join(threads[i], &result) == thrd_success && result == (int)i);
  }
  tss_delete(scratch);
  printf("%zu\n", total);
  return 0;
}
