#include "src/cli/supervisor.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "src/cli/exit_status.h"
#include "src/cli/file.h"

namespace gabion::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Those that are our own errors if they come, cannot be held back, or stop a process that touches
// the terminal from the background.
constexpr int kNotHandled[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP, SIGSYS,
                               SIGKILL, SIGSTOP, SIGTTIN, SIGTTOU, SIGPIPE};

bool is_sent_by_kernel(const siginfo_t& signal) { return signal.si_code == SI_KERNEL; }

bool is_session_leader() { return getsid(0) == getpid(); }

// Whether our process group owns the terminal, if there is one.
enum class Terminal { kNone, kForeground, kBackground };

Terminal terminal() {
  const FileDescriptor tty(open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC));
  if (!tty) return Terminal::kNone;
  return tcgetpgrp(tty.get()) == getpgrp() ? Terminal::kForeground : Terminal::kBackground;
}

std::vector<pid_t> children() {
  std::vector<pid_t> list;
  std::ifstream file("/proc/thread-self/children");
  for (pid_t pid; file >> pid;) list.push_back(pid);
  return list;
}

// Whether it waits only to be reaped.
bool is_zombie(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid;
}

int shell_status(int wait_status) {
  return WIFSIGNALED(wait_status) ? kSignalBase + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

timespec to_timespec(std::chrono::nanoseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {static_cast<time_t>(seconds.count()),
          static_cast<long>((duration - seconds).count())};  // NOLINT(google-runtime-int)
}

}  // namespace

Supervisor::Supervisor() {
  sigfillset(&handled_);
  for (const int signal : kNotHandled) sigdelset(&handled_, signal);
  sigprocmask(SIG_BLOCK, &handled_, &inherited_.mask);

  struct sigaction action{};
  sigemptyset(&action.sa_mask);
  // A closed pipe is an error of a write. Ignored SIGCHLD would lose the command's status.
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &inherited_.on_pipe);
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, &inherited_.on_child);

  prctl(PR_SET_CHILD_SUBREAPER, 1);
  earlier_children_ = children();
}

void Supervisor::release() {
  if (released_) return;
  released_ = true;
  // SIGPIPE stays ignored: reports are still to be written.
  sigprocmask(SIG_SETMASK, &inherited_.mask, nullptr);
}

Outcome Supervisor::run(const SpawnRequest& request, std::chrono::milliseconds patience) {
  command_ = spawn(request, inherited_);
  while (!command_ended_) {
    siginfo_t signal;
    if (sigwaitinfo(&handled_, &signal) < 0) continue;
    if (signal.si_signo == SIGCHLD) {
      reap();
    } else {
      handle(signal);
    }
  }
  Outcome outcome;
  outcome.status = shell_status(wait_status_);
  if (WIFSIGNALED(wait_status_)) outcome.signal = WTERMSIG(wait_status_);
  outcome.still_running = wait_for_orphans(patience);
  return outcome;
}

void Supervisor::handle(const siginfo_t& signal) {
  if (signal.si_signo == SIGTSTP) stop_requested_ = true;
  // What the terminal sends goes to the whole foreground group, the command included. The one
  // exception is a hangup, which only the leader of the session is told of.
  const bool hangup_of_session = signal.si_signo == SIGHUP && is_session_leader();
  if (is_sent_by_kernel(signal) && !hangup_of_session) return;
  kill(command_, signal.si_signo);
}

void Supervisor::reap() {
  int status = 0;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
    if (pid != command_) continue;
    if (WIFSTOPPED(status)) {
      stop_like_command(WSTOPSIG(status));
    } else {
      command_ended_ = true;
      wait_status_ = status;
    }
  }
}

// The shell sees only us: it takes the terminal back when we stop. A command that was stopped by
// SIGSTOP without a terminal to return to is somebody else's business, who will continue it and
// does not know that we are there.
void Supervisor::stop_like_command(int signal) {
  const Terminal owner = terminal();
  const bool by_job_control = signal != SIGSTOP && owner != Terminal::kNone;
  if (!stop_requested_ && !by_job_control && owner != Terminal::kForeground) return;
  stop_requested_ = false;

  // Never SIGSTOP: the kernel ignores the others where nobody could continue us.
  const int own_signal = signal == SIGSTOP ? SIGTSTP : signal;
  struct sigaction default_action{};
  struct sigaction old_action;
  default_action.sa_handler = SIG_DFL;
  sigaction(own_signal, &default_action, &old_action);
  sigset_t set;
  sigset_t old_mask;
  sigemptyset(&set);
  sigaddset(&set, own_signal);
  raise(own_signal);
  sigprocmask(SIG_UNBLOCK, &set, &old_mask);  // stops here
  sigprocmask(SIG_SETMASK, &old_mask, nullptr);
  sigaction(own_signal, &old_action, nullptr);
  // SIGCONT is pending now; `handle` hands it on.
}

std::vector<pid_t> Supervisor::descendants() const {
  std::vector<pid_t> list = children();
  std::erase_if(list, [&](pid_t pid) {
    const auto& earlier = earlier_children_;
    return std::find(earlier.begin(), earlier.end(), pid) != earlier.end() || is_zombie(pid);
  });
  return list;
}

std::vector<pid_t> Supervisor::wait_for_orphans(std::chrono::milliseconds patience) {
  const Clock::time_point deadline = Clock::now() + patience;
  while (true) {
    reap();
    std::vector<pid_t> left = descendants();
    const auto rest = deadline - Clock::now();
    if (left.empty() || rest <= Clock::duration::zero()) return left;
    const timespec timeout = to_timespec(rest);
    siginfo_t signal;
    if (sigtimedwait(&handled_, &signal, &timeout) < 0) continue;
    switch (signal.si_signo) {
      case SIGINT:
      case SIGTERM:
      case SIGHUP:
      case SIGQUIT:
        return left;  // whoever sent it does not want to wait
      default:
        break;
    }
  }
}

}  // namespace gabion::cli
