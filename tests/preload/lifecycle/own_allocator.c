/* A program that brings its own malloc: it wins, and the preloaded library must live with that. */
#include <stdint.h>
#include <string.h>

#include "tests/preload/check.h"

static _Alignas(16) char pool[8 << 20];
static size_t used;

struct header {
  size_t size;
  size_t unused;
};

void* malloc(size_t size) {
  const size_t whole = sizeof(struct header) + (size + 15) / 16 * 16;
  const size_t at = __atomic_fetch_add(&used, whole, __ATOMIC_RELAXED);
  if (at + whole > sizeof pool) abort();
  struct header* header = (struct header*)(void*)(pool + at);
  header->size = size;
  return header + 1;
}

void free(void* block) {
  if (block != NULL && ((char*)block < pool || (char*)block >= pool + sizeof pool)) abort();
}

void* calloc(size_t count, size_t size) { return malloc(count * size); }

void* realloc(void* block, size_t size) {
  char* moved = malloc(size);
  if (block != NULL) {
    const size_t old = ((struct header*)block - 1)->size;
    memcpy(moved, block, old < size ? old : size);
  }
  return moved;
}

int main(void) {
  char* text = strdup("own");
  CHECK(text >= pool && text < pool + sizeof pool);
  free(text);
  puts("own blocks only");
  return 0;
}
