#include "tests/support/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace gabion::testing {
namespace {

constexpr int kExecFailed = 127;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// Output goes into a file and not through a pipe: a daemon that keeps the descriptor open cannot
// make the reader wait.
class Capture {
 public:
  Capture() : fd_(memfd_create("output", MFD_CLOEXEC)) {
    if (fd_ < 0) fail("memfd_create");
  }
  ~Capture() { close(fd_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  [[nodiscard]] int fd() const { return fd_; }

  [[nodiscard]] std::string text() const {
    struct stat status{};
    if (fstat(fd_, &status) != 0) fail("fstat");
    std::string text(static_cast<size_t>(status.st_size), '\0');
    size_t have = 0;
    while (have < text.size()) {
      const ssize_t got =
          pread(fd_, text.data() + have, text.size() - have, static_cast<off_t>(have));
      if (got <= 0) break;
      have += static_cast<size_t>(got);
    }
    text.resize(have);
    return text;
  }

 private:
  int fd_;
};

[[noreturn]] void become(const Command& command, int out, int err) {
  setpgid(0, 0);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (!command.directory.empty() && chdir(command.directory.c_str()) != 0) _exit(kExecFailed);
  for (const auto& [name, value] : command.env) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv;
  argv.reserve(command.argv.size() + 1);
  for (const std::string& arg : command.argv) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  const char* why = std::strerror(errno);
  (void)!write(STDERR_FILENO, why, std::strlen(why));
  _exit(kExecFailed);
}

// True when the process ended in time.
bool await(pid_t pid, std::chrono::seconds timeout) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (handle < 0) fail("pidfd_open");
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  pollfd waiting{.fd = handle, .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) break;
    ready = poll(&waiting, 1, static_cast<int>(left.count()));
  } while (ready < 0 && errno == EINTR);
  close(handle);
  return ready > 0;
}

}  // namespace

std::string Outcome::describe() const {
  std::string how = timed_out     ? std::string("timed out")
                    : signal != 0 ? "ended by signal " + std::to_string(signal)
                                  : "exited with " + std::to_string(exit_code);
  return how + "\n--- stdout ---\n" + out + "\n--- stderr ---\n" + err;
}

Outcome run(const Command& command) {
  const Capture out;
  const Capture err;
  const pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) become(command, out.fd(), err.fd());
  setpgid(pid, pid);  // both sides do it: whichever is first, the group exists before the kill

  Outcome outcome;
  outcome.timed_out = !await(pid, command.timeout);
  kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) fail("waitpid");
  }
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.out = out.text();
  outcome.err = err.text();
  return outcome;
}

}  // namespace gabion::testing
