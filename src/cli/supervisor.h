// Waits for the command and for what it leaves behind, and hands on signals meanwhile.
#ifndef GABION_CLI_SUPERVISOR_H_
#define GABION_CLI_SUPERVISOR_H_

#include <sys/types.h>

#include <chrono>
#include <vector>

#include "src/cli/spawn.h"

namespace gabion::cli {

struct Outcome {
  int signal = 0;                    // that killed the command
  int status = 0;                    // as a shell gives it: 128 + signal for a killed command
  std::vector<pid_t> still_running;  // processes of the tree that outlived the wait
};

// One at a time. From construction until `release` signals are held back and handled by `run`; the
// process is the reaper of all orphans of the tree.
class Supervisor {
 public:
  Supervisor();
  ~Supervisor() { release(); }
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // Runs the command to its end. Then waits for other processes of its tree, but no longer than
  // `patience`: a daemon is meant to stay.
  Outcome run(const SpawnRequest& request, std::chrono::milliseconds patience);

  // Signals mean again what they meant before.
  void release();

 private:
  void handle(const siginfo_t& signal);
  void reap();
  void stop_like_command(int signal);
  std::vector<pid_t> descendants() const;
  std::vector<pid_t> wait_for_orphans(std::chrono::milliseconds patience);

  InheritedSignals inherited_;
  sigset_t handled_;
  bool released_ = false;
  bool stop_requested_ = false;
  std::vector<pid_t> earlier_children_;  // of the program that became us by exec
  pid_t command_ = -1;
  bool command_ended_ = false;
  int wait_status_ = 0;
};

}  // namespace gabion::cli

#endif  // GABION_CLI_SUPERVISOR_H_
