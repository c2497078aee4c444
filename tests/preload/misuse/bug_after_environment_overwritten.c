/* Options were copied at start: a program that overwrites its environment changes nothing. */
#include <string.h>
#include <unistd.h>

#include "misuse.h"

int main(int argc, char** argv) {
  char* buffer = make_buffer(24);
  for (int i = 0; i < argc; ++i) memset(argv[i], 'X', strlen(argv[i]));
  for (char** entry = environ; *entry != NULL; ++entry) memset(*entry, 'X', strlen(*entry));
  release_buffer(buffer);
  release_again(buffer);
  return 0;
}
