// 16 threads allocate while main forks without pause; each child uses the heap at once. Handlers
// that allocate in all three phases of a fork are registered too.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/preload/check.h"

namespace {

void allocate_a_little() {
  for (size_t size = 1; size < 20000; size *= 7) {
    void* block = std::malloc(size);
    KEEP(block);
    std::free(block);
  }
}

void child_works(int number) {
  CHECK(setenv("GABION_CHILD", std::to_string(number).c_str(), 1) == 0);
  std::vector<std::string> texts;
  for (size_t i = 0; i < 50; ++i) texts.emplace_back(i * 10, 'c');
  char line[64];
  std::snprintf(line, sizeof line, "%s %zu %f", std::getenv("GABION_CHILD"), texts.size(), 0.5);
  allocate_a_little();
}

}  // namespace

int main() {
  CHECK(pthread_atfork(allocate_a_little, allocate_a_little, allocate_a_little) == 0);
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&stop] {
      std::vector<std::string> kept(100);
      for (size_t round = 0; !stop; ++round) {
        kept[round % kept.size()] = std::string(round * 37 % 5000, 'x');
        allocate_a_little();
      }
    });
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  for (int number = 0; number < 3000 && std::chrono::steady_clock::now() < end; ++number) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      child_works(number);
      _exit(3);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  std::puts("all children worked");
}
