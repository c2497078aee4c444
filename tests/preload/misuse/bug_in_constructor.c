/* Before main. */
#include "misuse.h"

__attribute__((constructor)) static void free_twice_early(void) {
  char* buffer = make_buffer(24);
  release_buffer(buffer);
  release_again(buffer);
}

int main(void) { return 0; }
