/* Children that work on, free and add to what they inherited; and one that becomes another program.
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/preload/check.h"

enum { kBlocks = 1000, kChildren = 20 };

int main(void) {
  char* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc((size_t)i + 1);
    memset(blocks[i], i, (size_t)i + 1);
  }
  for (int child = 0; child < kChildren; ++child) {
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
      for (int i = 0; i < kBlocks; ++i) {
        CHECK(blocks[i][i] == (char)i);
        blocks[i] = realloc(blocks[i], (size_t)(i * 3) + 1);
      }
      for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
      exit(child);
    }
    int status = 0;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == child);
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  FILE* shell = popen("echo from a shell; exit 7", "r");
  char line[100];
  CHECK(shell != NULL && fgets(line, sizeof line, shell) != NULL);
  printf("%s%d\n", line, WEXITSTATUS(pclose(shell)));
  return 0;
}
