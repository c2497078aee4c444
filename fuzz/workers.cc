#include "fuzz/workers.h"

#include <cerrno>

#include "fuzz/failure.h"

namespace gabion::fuzz {
namespace {

void wait_for(sem_t& semaphore) {
  while (sem_wait(&semaphore) != 0) {
    if (errno != EINTR) fail("sem_wait: %d", errno);
  }
}

pthread_t start_thread(void* (*function)(void*), void* argument) {
  pthread_t thread;
  const int error = pthread_create(&thread, nullptr, function, argument);
  if (error != 0) fail("pthread_create: %d", error);
  return thread;
}

void* run_once(void* argument) {
  const auto* task = static_cast<const Task*>(argument);
  task->run(task->argument);
  return nullptr;
}

}  // namespace

Helper::Helper() {
  sem_init(&asked_, 0, 0);
  sem_init(&done_, 0, 0);
}

Helper::~Helper() {
  if (started_) {
    task_ = {};
    sem_post(&asked_);
    pthread_join(thread_, nullptr);
  }
  sem_destroy(&asked_);
  sem_destroy(&done_);
}

void Helper::run(Task task) {
  if (!started_) thread_ = start_thread(&Helper::loop, this);
  started_ = true;
  task_ = task;
  sem_post(&asked_);
  wait_for(done_);
}

void* Helper::loop(void* self) {
  auto& helper = *static_cast<Helper*>(self);
  for (;;) {
    wait_for(helper.asked_);
    if (helper.task_.run == nullptr) return nullptr;
    helper.task_.run(helper.task_.argument);
    sem_post(&helper.done_);
  }
}

void Workers::run_task(Where where, Task task) {
  if (where == Where::kShortLived && short_lived_left_-- <= 0) where = Where::kMain;
  switch (where) {
    case Where::kMain:
      return task.run(task.argument);
    case Where::kFirstHelper:
      return helpers_[0].run(task);
    case Where::kSecondHelper:
      return helpers_[1].run(task);
    case Where::kShortLived:
      pthread_join(start_thread(&run_once, &task), nullptr);
  }
}

}  // namespace gabion::fuzz
