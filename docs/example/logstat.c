// logstat FILE: sums up an access log. It has a bug which glibc's malloc does not notice.
#include <stdio.h>

#include "request.h"
#include "tally.h"

static int read_log(FILE* file, struct tally* tally, struct failures* failures) {
  char line[512];
  int skipped = 0;
  while (fgets(line, sizeof(line), file) != NULL) {
    struct request* request = request_parse(line);
    if (request == NULL) {
      ++skipped;
      continue;
    }
    if (request->status >= 500) failures_add(failures, request);
    tally_push(tally, request);
  }
  return skipped;
}

int main(int argc, char** argv) {
  FILE* file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (file == NULL) {
    fprintf(stderr, "usage: logstat FILE\n");
    return 2;
  }
  struct tally tally = {0};
  struct failures failures = {0};
  tally_start(&tally);
  int skipped = read_log(file, &tally, &failures);
  tally_finish(&tally);
  fclose(file);

  printf("%ld requests, %ld bytes, %zu failed, %d lines skipped\n", tally.requests, tally.bytes,
         failures.count, skipped);
  fflush(stdout);
  failures_discard(&failures);
  return 0;
}
