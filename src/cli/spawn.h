// Starts the command as if its caller had started it.
#ifndef GABION_CLI_SPAWN_H_
#define GABION_CLI_SPAWN_H_

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace gabion::cli {

struct SpawnRequest {
  std::string path;
  std::vector<std::string> arguments;  // the first one is the name it is called by
  std::vector<std::string> environment;
  std::vector<int> closed_streams;  // to be closed in the child as they were in us
};

// What the command inherits although we have changed it for ourselves.
struct InheritedSignals {
  sigset_t mask;
  struct sigaction on_pipe;
  struct sigaction on_child;
};

// The child stays in our process group, in which it gets the terminal's signals by itself, and dies
// if we are killed. Throws Error (126, 127 or 125) when it cannot be started.
pid_t spawn(const SpawnRequest& request, const InheritedSignals& inherited);

}  // namespace gabion::cli

#endif  // GABION_CLI_SPAWN_H_
