/* The damaged block still waits in quarantine when the program ends. */
#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(40);
  release_buffer(buffer);
  scribble(buffer, 4, 7);
  return 0;
}
