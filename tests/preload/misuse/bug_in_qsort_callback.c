/* The stack leads through libc, which has no frame pointers. */
#include "misuse.h"

static char* freed;

STEP int compare_and_free(const void* left, const void* right) {
  release_again(freed);
  return *(const int*)left - *(const int*)right;
}

int main(void) {
  int numbers[] = {3, 1, 2};
  freed = make_buffer(24);
  release_buffer(freed);
  qsort(numbers, 3, sizeof numbers[0], compare_and_free);
  return 0;
}
