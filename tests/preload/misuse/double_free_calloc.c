#include "misuse.h"

STEP char* make_zeros(size_t size) {
  char* zeros = (char*)calloc(1, size);
  FORGET(zeros);
  return zeros;
}

int main(void) {
  char* zeros = make_zeros(333);
  release_buffer(zeros);
  release_again(zeros);
  return 0;
}
