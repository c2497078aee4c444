#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request* request_parse(const char* line) {
  char path[256];
  int status;
  long bytes;
  if (sscanf(line, "%*s %255s %d %ld", path, &status, &bytes) != 3) return NULL;

  size_t length = strlen(path) + 1;
  struct request* request = malloc(sizeof(*request) + length);
  if (request == NULL) return NULL;
  request->bytes = bytes;
  request->status = status;
  memcpy(request->path, path, length);
  return request;
}

void failures_add(struct failures* failures, struct request* request) {
  if (failures->count == failures->capacity) {
    size_t capacity = failures->capacity == 0 ? 4 : 2 * failures->capacity;
    struct request** items = realloc(failures->items, capacity * sizeof(*items));
    if (items == NULL) return;
    failures->items = items;
    failures->capacity = capacity;
  }
  failures->items[failures->count++] = request;
}

void failures_discard(struct failures* failures) {
  // The bug: the tally's thread has freed these requests already, with all others.
  for (size_t i = 0; i < failures->count; ++i) free(failures->items[i]);
  free(failures->items);
}
