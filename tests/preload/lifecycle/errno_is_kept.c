/* free and every success keep errno, also when the kernel refuses to take memory back. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tests/preload/check.h"

enum { kErrno = EXDEV, kBlocks = 64 };

#define REFUSE(call)                                 \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOMEM)

/* madvise, munmap and mremap fail from now on. */
static void refuse_to_take_memory(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      REFUSE(SYS_madvise),
      REFUSE(SYS_munmap),
      REFUSE(SYS_mremap),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void exercise(void) {
  char* blocks[kBlocks];
  for (size_t size = 1; size < (16u << 20); size = size * 4 + 3) {
    const int count = size > (1u << 20) ? 4 : kBlocks;
    for (int i = 0; i < count; ++i) {
      errno = kErrno;
      blocks[i] = i % 2 == 0 ? malloc(size) : calloc(size, 1);
      CHECK(blocks[i] != NULL && errno == kErrno);
      if (i % 2 == 1) {
        for (size_t byte = 0; byte < size; ++byte) CHECK(blocks[i][byte] == 0);
      }
      for (size_t byte = 0; byte < size; ++byte)
        blocks[i][byte] = 'd'; /* dirty for the next round */
      blocks[i] = realloc(blocks[i], size * 2);
      CHECK(blocks[i] != NULL && errno == kErrno);
      CHECK(blocks[i][size - 1] == 'd');
    }
    for (int i = 0; i < count; ++i) {
      free(blocks[i]);
      CHECK(errno == kErrno);
    }
  }
}

int main(void) {
  exercise();
  refuse_to_take_memory();
  exercise();
  exercise();
  puts("kept");
  return 0;
}
