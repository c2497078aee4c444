/* Run with halt_on_error=0: all three are reported, and the exit status still tells. */
#include "misuse.h"

int main(void) {
  char* first = make_buffer(24);
  char* second = make_buffer(24);
  char* third = make_buffer(24);
  release_buffer(first);
  release_buffer(second);
  release_buffer(third);
  release_again(first);
  release_again(second);
  release_again(third);
  return 0;
}
