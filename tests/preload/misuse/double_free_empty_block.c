#include "misuse.h"

int main(void) {
  char* nothing = make_buffer(0);
  release_buffer(nothing);
  release_again(nothing);
  return 0;
}
