#include "src/report/fault_guard.h"

#include <unistd.h>

#include <atomic>
#include <string_view>

#include "src/os/process.h"
#include "src/os/syscall.h"

namespace gabion::report {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS};

// The kernel's form of struct sigaction. The C library's function is not used: other preloaded
// libraries replace it.
struct KernelAction {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  uint64_t mask;
};

constinit KernelAction former[std::size(kSignals)] = {};
constinit std::atomic<pid_t> guarded_thread{0};
constinit std::atomic<int> guard_exit_code{0};

#if defined(__x86_64__)
// Where a handler returns to on this processor: the kernel wants the program to say.
extern "C" __attribute__((visibility("hidden"))) void gabion_signal_return();
asm(".text\n"
    ".hidden gabion_signal_return\n"
    ".type gabion_signal_return, @function\n"
    "gabion_signal_return:\n"
    "  mov $15, %eax\n"
    "  syscall\n"
    ".size gabion_signal_return, .-gabion_signal_return\n");
constexpr unsigned long kRestorerFlag = 0x04000000;
#endif

void set_action(int signal, const KernelAction* action, KernelAction* old) {
  os::system_call(SYS_rt_sigaction, signal, action, old, sizeof action->mask);
}

void restore_actions() {
  for (size_t i = 0; i < std::size(kSignals); ++i)
    set_action(kSignals[i], &former[i], static_cast<KernelAction*>(nullptr));
}

void on_fault(int, siginfo_t*, void*) {
  if (os::thread_id() == guarded_thread.load(std::memory_order_relaxed)) {
    fail_inside_report(guard_exit_code.load(std::memory_order_relaxed));
  }
  // Another thread's fault, which happens again when this returns.
  restore_actions();
}

}  // namespace

FaultGuard::FaultGuard(int exit_code) {
  guard_exit_code.store(exit_code, std::memory_order_relaxed);
  guarded_thread.store(os::thread_id(), std::memory_order_relaxed);
  KernelAction action{.handler = on_fault,
                      .flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
                      .restorer = nullptr,
                      .mask = 0};
#if defined(__x86_64__)
  action.flags |= kRestorerFlag;
  action.restorer = gabion_signal_return;
#endif
  for (size_t i = 0; i < std::size(kSignals); ++i) set_action(kSignals[i], &action, &former[i]);
}

FaultGuard::~FaultGuard() {
  guarded_thread.store(0, std::memory_order_relaxed);
  restore_actions();
}

void fail_inside_report(int exit_code) {
  os::write_all(STDERR_FILENO, "gabion: another error happened inside an error report\n");
  os::system_call(SYS_exit_group, exit_code);
  __builtin_trap();
}

}  // namespace gabion::report
