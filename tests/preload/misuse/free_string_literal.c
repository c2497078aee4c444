#include "misuse.h"

int main(void) {
  const char* text = "a constant of the program";
  release_buffer((void*)text);
  return 0;
}
