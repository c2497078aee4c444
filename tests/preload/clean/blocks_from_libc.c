/* Blocks that libc makes and the program frees, and the other way round. */
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "tests/preload/check.h"

int main(void) {
  char* text = NULL;
  CHECK(asprintf(&text, "%s-%d", "formatted", 42) == 12);
  puts(text);
  free(text);

  char* buffer = NULL;
  size_t size = 0;
  FILE* stream = open_memstream(&buffer, &size);
  for (int i = 0; i < 5000; ++i) fprintf(stream, "line %d\n", i);
  fclose(stream);

  char* line = malloc(4); /* getline reallocs a block of ours */
  size_t capacity = 4;
  size_t lines = 0;
  stream = fmemopen(buffer, size, "r");
  while (getline(&line, &capacity, stream) > 0) ++lines;
  fclose(stream);
  free(line);
  free(buffer);

  char* resolved = realpath("/proc/self/..", NULL);
  CHECK(resolved != NULL && strcmp(resolved, "/proc") == 0);
  free(resolved);
  char* directory = getcwd(NULL, 0);
  CHECK(directory != NULL);
  free(directory);
  wchar_t* wide = wcsdup(L"wide");
  CHECK(wcslen(wide) == 4);
  free(wide);
  free(strndup("truncated", 5));

  struct dirent** names = NULL;
  const int count = scandir("/proc/self", &names, NULL, alphasort);
  CHECK(count > 2);
  for (int i = 0; i < count; ++i) free(names[i]);
  free(names);

  glob_t matches;
  CHECK(glob("/proc/self/s*", 0, NULL, &matches) == 0 && matches.gl_pathc > 1);
  globfree(&matches);

  for (int i = 0; i < 300; ++i) {
    char name[32];
    snprintf(name, sizeof name, "GABION_VARIABLE_%d", i);
    CHECK(setenv(name, "value", 1) == 0);
    CHECK(setenv(name, "another and longer value", 1) == 0);
  }
  CHECK(clearenv() == 0);
  printf("%zu lines\n", lines);
  return 0;
}
