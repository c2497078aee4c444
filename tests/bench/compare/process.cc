#include "tests/bench/compare/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "tests/bench/support/stopwatch.h"

namespace gabion::bench {
namespace {

constexpr int kCannotRun = 127;

[[noreturn]] void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// Memory that a child can write to without waiting for a reader.
class Capture {
 public:
  Capture() : file_(memfd_create("capture", MFD_CLOEXEC)) {
    if (file_ < 0) throw_errno("memfd_create");
  }
  ~Capture() { close(file_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  int file() const { return file_; }
  std::string text() const {
    std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
    const ssize_t got = pread(file_, text.data(), text.size(), 0);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }

 private:
  int file_;
};

[[noreturn]] void become(const Command& command, const Capture& output, const Capture& errors) {
  setpgid(0, 0);  // so that a timeout can end the whole tree
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(output.file(), STDOUT_FILENO);
  dup2(errors.file(), STDERR_FILENO);
  if (!command.directory.empty() && chdir(command.directory.c_str()) != 0) _exit(kCannotRun);
  if (command.preload.empty()) {
    unsetenv("LD_PRELOAD");
  } else {
    setenv("LD_PRELOAD", command.preload.c_str(), 1);
  }
  std::vector<char*> arguments;
  for (const std::string& argument : command.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(kCannotRun);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// False if the process is still there after that time.
bool wait_until_dead(pid_t child, double seconds) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (process < 0) throw_errno("pidfd_open");
  pollfd waiting = {process, POLLIN, 0};
  const int ready = poll(&waiting, 1, static_cast<int>(seconds * 1000));
  close(process);
  return ready != 0;
}

}  // namespace

std::string Outcome::failure() const {
  if (timed_out) return "timed out";
  const std::string reason = errors.substr(0, errors.find('\n'));
  return fmt::format("status {}{}{}", status, reason.empty() ? "" : ": ", reason);
}

Outcome run(const Command& command) {
  const Capture output;
  const Capture errors;
  Outcome outcome;
  const Stopwatch watch;
  const pid_t child = fork();
  if (child < 0) throw_errno("fork");
  if (child == 0) become(command, output, errors);
  if (!wait_until_dead(child, command.timeout_seconds)) {
    outcome.timed_out = true;
    kill(-child, SIGKILL);
  }
  int status = 0;
  rusage usage = {};
  if (wait4(child, &status, 0, &usage) < 0) throw_errno("wait4");
  outcome.seconds = watch.seconds();
  outcome.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  outcome.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  outcome.peak_rss_kib = static_cast<std::uint64_t>(usage.ru_maxrss);
  outcome.output = output.text();
  outcome.errors = errors.text();
  return outcome;
}

}  // namespace gabion::bench
