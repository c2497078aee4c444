/* Stacks that are blocks of the heap, and jumps between them. */
#include <setjmp.h>
#include <ucontext.h>

#include "tests/preload/check.h"

enum { kContexts = 10, kRounds = 100, kStack = 64 << 10 };

static ucontext_t main_context;
static ucontext_t contexts[kContexts];
static long total;

static void work(int self) {
  for (int i = 0; i < kRounds; ++i) {
    char* block = malloc((size_t)(i * self) + 1);
    CHECK(block != NULL);
    block[i * self] = 1;
    swapcontext(&contexts[self], &main_context);
    total += block[i * self];
    free(block);
  }
}

int main(void) {
  void* stacks[kContexts];
  for (int i = 0; i < kContexts; ++i) {
    CHECK(getcontext(&contexts[i]) == 0);
    stacks[i] = malloc(kStack);
    contexts[i].uc_stack.ss_sp = stacks[i];
    contexts[i].uc_stack.ss_size = kStack;
    contexts[i].uc_link = &main_context;
    makecontext(&contexts[i], (void (*)(void))work, 1, i);
  }
  for (int round = 0; round <= kRounds; ++round) {
    for (int i = 0; i < kContexts; ++i) swapcontext(&main_context, &contexts[i]);
  }
  for (int i = 0; i < kContexts; ++i) free(stacks[i]);

  jmp_buf target;
  char* volatile block = malloc(100);
  if (setjmp(target) == 0) longjmp(target, 1);
  free(block);
  printf("%ld\n", total);
  return 0;
}
