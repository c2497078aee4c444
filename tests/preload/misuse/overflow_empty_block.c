#include "misuse.h"

int main(void) {
  char* nothing = make_buffer(0);
  scribble(nothing, 0, 0);
  release_buffer(nothing);
  return 0;
}
