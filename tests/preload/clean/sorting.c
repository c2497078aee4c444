/* qsort allocates for large arrays. */
#include <search.h>
#include <stdint.h>
#include <string.h>

#include "tests/preload/check.h"

enum { kCount = 100000 };

struct record {
  uint32_t key;
  char payload[60];
};

static int by_key(const void* left, const void* right) {
  const uint32_t a = ((const struct record*)left)->key;
  const uint32_t b = ((const struct record*)right)->key;
  return (a > b) - (a < b);
}

static int visited;
static void visit(const void* node, VISIT order, int depth) {
  (void)node;
  (void)depth;
  if (order == postorder || order == leaf) ++visited;
}

static void keep(void* node) { (void)node; }

int main(void) {
  struct record* records = calloc(kCount, sizeof *records);
  uint32_t random = 7;
  for (int i = 0; i < kCount; ++i) {
    random = random * 1664525 + 1013904223;
    records[i].key = random >> 4;
    memset(records[i].payload, (int)(records[i].key % 251), sizeof records[i].payload);
  }
  qsort(records, kCount, sizeof *records, by_key);
  for (int i = 1; i < kCount; ++i) CHECK(records[i - 1].key <= records[i].key);
  for (int i = 0; i < kCount; ++i) {
    CHECK((unsigned char)records[i].payload[59] == records[i].key % 251);
  }
  void* tree = NULL;
  for (int i = 0; i < 20000; ++i) tsearch(&records[i * 5], &tree, by_key);
  twalk(tree, visit);
  tdestroy(tree, keep);
  CHECK(hcreate(5000) != 0);
  hdestroy();
  free(records);
  printf("%d\n", visited);
  return 0;
}
