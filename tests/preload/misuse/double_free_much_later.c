/* Other blocks of the size come and go in between. */
#include "misuse.h"

enum { kBlocks = 1000 };

int main(void) {
  static char* others[kBlocks];
  char* buffer = make_buffer(24);
  release_buffer(buffer);
  for (int i = 0; i < kBlocks; ++i) others[i] = make_buffer(24);
  release_again(buffer);
  for (int i = 0; i < kBlocks; ++i) free(others[i]);
  return 0;
}
