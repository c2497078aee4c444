#include "src/os/fork.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

namespace gabion::os {
namespace {

constinit Mutex low{LockRank::kReport};
constinit Mutex high{LockRank::kRange};
std::string events;

// As another library's handlers, which run inside ours: they may use what takes our locks.
void use_locks(const char* event) {
  const MutexLock first(low);
  const MutexLock second(high);
  events += event;
  if (this_thread_is_forking()) events += "(forking)";
  events += ' ';
}

int exit_status_of_child(int (*body)()) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(body());
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class Fork : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    // Handlers before fork run last registered first: these run after ours before fork...
    pthread_atfork([] { use_locks("prepare"); }, nullptr, nullptr);
    register_fork_lock(high);
    register_fork_lock(low);
    register_fork_child([] { events += "mend1 "; });
    register_fork_child([] { events += "mend2 "; });
    install_fork_handlers();
    install_fork_handlers();
    // ...and those after fork first registered first.
    pthread_atfork(nullptr, [] { use_locks("parent"); }, [] { use_locks("child"); });
  }
  void SetUp() override { events.clear(); }
};

TEST_F(Fork, HandlersPassThroughLocks) {
  const int status =
      exit_status_of_child([] { return events == "prepare(forking) mend1 mend2 child " ? 0 : 1; });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(events, "prepare(forking) parent ");
  EXPECT_FALSE(this_thread_is_forking());
}

TEST_F(Fork, LocksAreFreeAfterwards) {
  const auto all_free = [] {
    if (!low.try_lock()) return 1;
    if (!high.try_lock()) return 2;
    high.unlock();
    low.unlock();
    return 0;
  };
  EXPECT_EQ(exit_status_of_child(all_free), 0);
  EXPECT_EQ(all_free(), 0);
}

TEST_F(Fork, TheChildKnowsWhetherThereWereThreads) {
  std::atomic<bool> stop{false};
  std::thread thread([&] {
    while (!stop) std::this_thread::yield();
  });
  EXPECT_EQ(exit_status_of_child([] { return parent_had_threads() ? 0 : 1; }), 0);
  stop = true;
  thread.join();
}

TEST_F(Fork, NobodyIsInsideALockWhileMemoryIsCopied) {
  static int first = 0, second = 0;  // always equal under the lock
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop) {
      const MutexLock lock(high);
      ++first;
      ++second;
    }
  });
  int bad = 0;
  for (int i = 0; i < 50; ++i) {
    bad += exit_status_of_child([] {
             const MutexLock lock(high);
             return first == second ? 0 : 1;
           }) != 0;
  }
  stop = true;
  writer.join();
  EXPECT_EQ(bad, 0);
}

}  // namespace
}  // namespace gabion::os
