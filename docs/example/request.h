// One line of a web server's access log, and the list of requests that failed.
#ifndef EXAMPLE_REQUEST_H_
#define EXAMPLE_REQUEST_H_

#include <stddef.h>

struct request {
  long bytes;
  int status;
  char path[];
};

// "GET /index.html 200 5120" -> a request on the heap, or NULL if the line is something else.
struct request* request_parse(const char* line);

struct failures {
  struct request** items;
  size_t count;
  size_t capacity;
};

void failures_add(struct failures* failures, struct request* request);
void failures_discard(struct failures* failures);

#endif  // EXAMPLE_REQUEST_H_
