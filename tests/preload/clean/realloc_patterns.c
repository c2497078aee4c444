/* Growing and shrinking in all kinds of steps; the contents must survive each. */
#include <stdint.h>
#include <string.h>

#include "tests/preload/check.h"

static unsigned char pattern(size_t i) { return (unsigned char)(i * 131 + (i >> 8)); }

static void fill(unsigned char* block, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) block[i] = pattern(i);
}

static void verify(const unsigned char* block, size_t size) {
  for (size_t i = 0; i < size; ++i) CHECK(block[i] == pattern(i));
}

static unsigned char* resize(unsigned char* block, size_t from, size_t to) {
  block = realloc(block, to);
  CHECK(block != NULL);
  verify(block, from < to ? from : to);
  if (to > from) fill(block, from, to);
  return block;
}

int main(void) {
  unsigned char* block = NULL;
  size_t size = 0;
  for (size_t next = 1; next <= 5000; ++next) { /* byte by byte */
    block = realloc(block, next);
    CHECK(block != NULL);
    block[next - 1] = pattern(next - 1);
    size = next;
  }
  verify(block, size);
  while (size < (32u << 20)) { /* doubling */
    block = resize(block, size, size * 2 + 1);
    size = size * 2 + 1;
  }
  while (size > 100) { /* and back by thirds */
    block = resize(block, size, size / 3 * 2);
    size = size / 3 * 2;
  }
  uint32_t random = 1;
  for (int i = 0; i < 3000; ++i) {
    random = random * 1664525 + 1013904223;
    const size_t next = 1 + (random >> 8) % (i % 50 == 0 ? 300000 : 3000);
    block = resize(block, size, next);
    size = next;
  }
  free(block);
  puts("contents survived");
  return 0;
}
