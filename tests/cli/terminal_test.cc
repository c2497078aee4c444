// The command on a terminal, under a shell with job control.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>

#include "tests/cli/lab.h"

namespace gabion::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A bash that runs a script on a terminal of its own, each command as a job.
class Terminal {
 public:
  Terminal(const Lab& lab, const std::string& script) {
    child_ = forkpty(&fd_, nullptr, nullptr, nullptr);
    if (child_ != 0) return;
    setenv("GABION", lab.gabion().c_str(), 1);
    execlp("bash", "bash", "--norc", "-m", "-c", script.c_str(), nullptr);
    _exit(127);
  }
  ~Terminal() {
    read_to_end();  // killed earlier, the command would leave its files behind
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    close(fd_);
  }

  void type(const std::string& keys) { EXPECT_GT(write(fd_, keys.data(), keys.size()), 0); }

  // Reads until the text has come, or 20 seconds have passed.
  void expect(const std::string& text) {
    read_until([&] { return seen_.find(text) != std::string::npos; });
    EXPECT_THAT(seen_, HasSubstr(text));
  }
  void read_to_end() {
    read_until([] { return false; });
  }

  const std::string& seen() const { return seen_; }

 private:
  void read_until(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done() && std::chrono::steady_clock::now() < deadline) {
      pollfd waiting{fd_, POLLIN, 0};
      if (poll(&waiting, 1, 100) <= 0) continue;
      char buffer[512];
      const ssize_t length = read(fd_, buffer, sizeof buffer);
      if (length <= 0) break;
      seen_.append(buffer, static_cast<size_t>(length));
    }
  }

  int fd_ = -1;
  pid_t child_ = -1;
  std::string seen_;
};

TEST(TerminalTest, CommandReadsTheTerminal) {
  const Lab lab;
  Terminal terminal(lab, "$GABION run -- sh -c 'echo ready; read x; echo \"[$x]\"'");
  terminal.expect("ready");
  terminal.type("line\n");
  terminal.expect("[line]");
}

TEST(TerminalTest, InterruptReachesTheCommandOnce) {
  const Lab lab;
  Terminal terminal(
      lab,
      "$GABION run -- bash -c 'trap \"n=x\\$n\" INT; echo ready; while [ -z \"$n\" ]; "
      "do sleep 0.1; done; sleep 0.3; echo \"got $n.\"; exit 9'; echo status $?");
  terminal.expect("ready");
  terminal.type("\x03");
  terminal.expect("got x.");
  terminal.expect("status 9");
}

TEST(TerminalTest, InterruptEndsAScriptAsWithoutUs) {
  const Lab lab;
  Terminal terminal(lab, "$GABION run -- sh -c 'echo ready; exec sleep 20'; echo went on");
  terminal.expect("ready");
  terminal.type("\x03");
  terminal.read_to_end();
  EXPECT_THAT(terminal.seen(), Not(HasSubstr("went on")));
}

TEST(TerminalTest, QuitReachesTheCommand) {
  const Lab lab;
  Terminal terminal(lab,
                    "$GABION run -- sh -c 'trap \"exit 8\" QUIT; echo ready; while :; do sleep "
                    "0.1; done'; echo status $?");
  terminal.expect("ready");
  terminal.type("\x1c");
  terminal.expect("status 8");
}

TEST(TerminalTest, StopAndContinue) {
  const Lab lab;
  Terminal terminal(lab,
                    "$GABION run -- sh -c 'echo ready; read x; echo \"[$x]\"; exit 5'; "
                    "echo status $?; fg; echo status $?");
  terminal.expect("ready");
  terminal.type("\x1a");
  terminal.expect("status 148");
  terminal.type("line\n");
  terminal.expect("[line]");
  terminal.expect("status 5");
}

TEST(TerminalTest, CommandThatStopsItself) {
  const Lab lab;
  Terminal terminal(lab,
                    "$GABION run -- sh -c 'kill -STOP $$; echo back; exit 5'; "
                    "echo stopped; fg; echo status $?");
  terminal.expect("stopped");
  terminal.expect("back");
  terminal.expect("status 5");
}

TEST(TerminalTest, BackgroundJobThatReadsStops) {
  const Lab lab;
  Terminal terminal(lab,
                    "$GABION run -- sh -c 'read x; echo \"[$x]\"; exit 5' & "
                    "while ! jobs | grep -q Stopped; do sleep 0.1; done; echo stopped; "
                    "fg; echo status $?");
  terminal.expect("stopped");
  terminal.type("line\n");
  terminal.expect("[line]");
  terminal.expect("status 5");
}

TEST(TerminalTest, SignalsToTheWrapperAlone) {
  const Lab lab;
  for (const std::string signal : {"INT", "QUIT", "WINCH", "CONT"}) {
    Terminal terminal(lab, "$GABION run -- sh -c 'trap \"exit 9\" " + signal +
                               "; echo ready; while :; do sleep 0.1; done' & "
                               "sleep 1; kill -" +
                               signal + " $!; wait $!; echo status $?");
    terminal.expect("status 9");
  }
}

TEST(TerminalTest, HangupEndsTheCommand) {
  const Lab lab;
  int fd = -1;
  const pid_t child = forkpty(&fd, nullptr, nullptr, nullptr);
  if (child == 0) {  // the leader of the session itself
    execl(
        lab.gabion().c_str(), "gabion", "run", "--", "sh", "-c",
        "trap 'echo hangup >hangup; exit 0' HUP; cd $0; echo ready >ready; while :; do sleep 0.1; "
        "done",
        lab.path().c_str(), nullptr);
    _exit(127);
  }
  for (int i = 0; i < 200 && read_file(lab.file("ready")).empty(); ++i) usleep(50000);
  close(fd);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(read_file(lab.file("hangup")), "hangup\n");
}

}  // namespace
}  // namespace gabion::cli
