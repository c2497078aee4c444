/* The bug is in a program that a shell starts, and its status is lost on the way. */
#include <stdio.h>
#include <string.h>

#include "misuse.h"

STEP void spawned_frees_twice(void) {
  char* buffer = make_buffer(24);
  release_buffer(buffer);
  release_again(buffer);
}

int main(int argc, char** argv) {
  char line[4200];
  if (argc == 2 && strcmp(argv[1], "spawned") == 0) {
    spawned_frees_twice();
    return 0;
  }
  snprintf(line, sizeof line, "'%s' spawned; true", argv[0]);
  return system(line);
}
