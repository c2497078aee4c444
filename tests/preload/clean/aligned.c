/* All alignments from 16 bytes to 1 MiB with many sizes; realloc keeps what is in them. */
#include <stdint.h>
#include <string.h>

#include "tests/preload/check.h"

static void verify(const char* block, int byte, size_t size) {
  for (size_t i = 0; i < size; ++i) CHECK(block[i] == (char)byte);
}

int main(void) {
  int blocks = 0;
  for (size_t alignment = 16; alignment <= (1u << 20); alignment *= 2) {
    for (size_t size = 0; size <= 70000; size = size * 5 / 3 + 1) {
      void* block = NULL;
      CHECK(posix_memalign(&block, alignment, size) == 0);
      CHECK((uintptr_t)block % alignment == 0);
      memset(block, blocks, size);
      char* moved = realloc(block, size * 2 + 1);
      CHECK(moved != NULL);
      verify(moved, blocks, size);
      moved = realloc(moved, size / 2 + 1);
      CHECK(moved != NULL);
      verify(moved, blocks, size / 2 + (size != 0));
      free(moved);
      ++blocks;
    }
  }
  printf("%d blocks\n", blocks);
  return 0;
}
