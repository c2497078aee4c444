/* A program that overwrites its arguments and environment, as daemons do for `ps`. */
#include <string.h>
#include <unistd.h>

#include "tests/preload/check.h"

int main(int argc, char** argv) {
  for (int i = 0; i < argc; ++i) memset(argv[i], 'X', strlen(argv[i]));
  for (char** entry = environ; *entry != NULL; ++entry) memset(*entry, 'X', strlen(*entry));
  environ = NULL;
  for (size_t size = 1; size < 1000000; size *= 3) {
    char* block = malloc(size);
    memset(block, 'e', size);
    KEEP(block);
    free(block);
  }
  puts("worked");
  return 0;
}
