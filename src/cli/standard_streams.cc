#include "src/cli/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace gabion::cli {

std::vector<int> fill_closed_standard_streams() {
  std::vector<int> closed;
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    closed.push_back(fd);
    // The lowest free number is the one wanted, since those below it are taken by now.
    if (open("/dev/null", O_RDWR) != fd) break;
  }
  return closed;
}

}  // namespace gabion::cli
