#include "misuse.h"

int main(void) {
  release_buffer((void*)&main);
  return 0;
}
