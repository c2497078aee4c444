#include <string.h>

#include "misuse.h"

STEP void copy_name(char* to, const char* name) {
  FORGET(to);
  FORGET(name);
  strcpy(to, name);
}

int main(void) {
  char* name = make_buffer(8);
  copy_name(name, "Gabionades");
  release_buffer(name);
  return 0;
}
