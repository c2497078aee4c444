// Runs steps on other threads, one at a time: an input gives the same steps in the same order.
#ifndef GABION_FUZZ_WORKERS_H_
#define GABION_FUZZ_WORKERS_H_

#include <pthread.h>
#include <semaphore.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace gabion::fuzz {

enum class Where : std::uint8_t {
  kMain,
  kFirstHelper,   // lives until the end of the input
  kSecondHelper,  // likewise
  kShortLived,    // a fresh thread, gone when the step is done
};

struct Task {
  void (*run)(void* argument);
  void* argument;
};

// One thread that waits for tasks. Started by its first task, so that inputs without need no
// thread.
class Helper {
 public:
  Helper();
  ~Helper();
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  // Returns when the task is done.
  void run(Task task);

 private:
  static void* loop(void* self);

  pthread_t thread_ = {};
  bool started_ = false;
  Task task_ = {};
  sem_t asked_;
  sem_t done_;
};

class Workers {
 public:
  template <typename Function>
  void run(Where where, Function function) {
    run_task(where, {[](void* argument) { (*static_cast<Function*>(argument))(); }, &function});
  }

 private:
  void run_task(Where where, Task task);

  // A thread costs as much as hundreds of steps.
  int short_lived_left_ = 64;
  std::array<Helper, 2> helpers_;
};

}  // namespace gabion::fuzz

#endif  // GABION_FUZZ_WORKERS_H_
