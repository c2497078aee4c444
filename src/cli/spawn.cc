#include "src/cli/spawn.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "src/cli/error.h"
#include "src/cli/exit_status.h"
#include "src/cli/file.h"

namespace gabion::cli {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> list;
  for (const std::string& string : strings) list.push_back(const_cast<char*>(string.c_str()));
  list.push_back(nullptr);
  return list;
}

bool is_elf(const std::string& path) {
  const FileDescriptor file = open_regular_file(path);
  char magic[SELFMAG];
  return file && read(file.get(), magic, SELFMAG) == SELFMAG &&
         std::memcmp(magic, ELFMAG, SELFMAG) == 0;
}

[[noreturn]] void run_child(const SpawnRequest& request, const InheritedSignals& inherited,
                            pid_t parent, int error_pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kOwnFailure);  // it died before the line above
  sigaction(SIGPIPE, &inherited.on_pipe, nullptr);
  sigaction(SIGCHLD, &inherited.on_child, nullptr);
  sigprocmask(SIG_SETMASK, &inherited.mask, nullptr);
  for (const int fd : request.closed_streams) close(fd);

  const std::vector<char*> arguments = pointers(request.arguments);
  const std::vector<char*> environment = pointers(request.environment);
  execve(request.path.c_str(), arguments.data(), environment.data());
  int error = errno;
  if (error == ENOEXEC && !is_elf(request.path)) {
    // A script without "#!": execvp and shells give it to sh.
    std::vector<std::string> words = {"/bin/sh", request.path};
    for (size_t i = 1; i < request.arguments.size(); ++i) words.push_back(request.arguments[i]);
    execve("/bin/sh", pointers(words).data(), environment.data());
    error = errno;
  }
  write_all(error_pipe, {reinterpret_cast<const char*>(&error), sizeof error});
  _exit(kOwnFailure);
}

}  // namespace

pid_t spawn(const SpawnRequest& request, const InheritedSignals& inherited) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw Error(kOwnFailure, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  const FileDescriptor reader(ends[0]);
  FileDescriptor writer(ends[1]);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    throw Error(kOwnFailure, fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  if (child == 0) run_child(request, inherited, parent, writer.get());

  writer = FileDescriptor();  // so that the end of the pipe can be seen
  int error = 0;
  ssize_t length;
  do {
    length = read(reader.get(), &error, sizeof error);
  } while (length < 0 && errno == EINTR);
  if (length != sizeof error) return child;

  waitpid(child, nullptr, 0);
  // ENOENT for a file that was there a moment ago means its interpreter.
  const bool interpreter = error == ENOENT && access(request.path.c_str(), F_OK) == 0;
  throw Error(error == ENOENT && !interpreter ? kNotFound : kNotExecutable,
              fmt::format("{}: {}", request.arguments.front(),
                          interpreter ? "its interpreter does not exist" : std::strerror(error)));
}

}  // namespace gabion::cli
