/* Every byte that malloc_usable_size promises may be written, and never fewer than were asked for.
 */
#include <malloc.h>
#include <string.h>

#include "tests/preload/check.h"

int main(void) {
  for (size_t size = 0; size < 300000; size = size * 9 / 8 + 1) {
    char* block = malloc(size);
    const size_t usable = malloc_usable_size(block);
    CHECK(usable >= size);
    memset(block, 0xab, usable);
    KEEP(block);
    block = realloc(block, size + size / 2);
    memset(block, 0xcd, malloc_usable_size(block));
    KEEP(block);
    free(block);
  }
  CHECK(malloc_usable_size(NULL) == 0);
  puts("all usable bytes written");
  return 0;
}
