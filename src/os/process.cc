#include "src/os/process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

#include "src/base/rng.h"
#include "src/base/text.h"
#include "src/os/probe.h"
#include "src/os/syscall.h"

namespace gabion::os {
namespace {

// Where main's stack begins lie argc, argv and the environment, readable before libc has set
// `environ`.
char** initial_environment() {
  if (environ != nullptr) return environ;
  auto* words = reinterpret_cast<long*>(initial_stack_end());
  if (words == nullptr) return nullptr;
  const long argc = words[0];
  if (argc < 0 || argc > 1 << 24) return nullptr;
  return reinterpret_cast<char**>(words + argc + 2);
}

// The kernel's form of a set of signals.
constexpr uint64_t signal_bit(int signal) { return uint64_t{1} << (signal - 1); }

// False after a second: whoever should read does not.
bool wait_until_writable(int fd) {
  pollfd descriptor{.fd = fd, .events = POLLOUT, .revents = 0};
  timespec left{.tv_sec = 1, .tv_nsec = 0};  // the kernel counts it down
  return system_call(SYS_ppoll, &descriptor, 1, &left, 0, sizeof(uint64_t)).raw > 0;
}

}  // namespace

bool is_secure_execution() { return getauxval(AT_SECURE) != 0; }

const char* environment(std::string_view name) {
  char** entry = initial_environment();
  if (entry == nullptr) return nullptr;
  for (; *entry != nullptr; ++entry) {
    const std::string_view variable(*entry);
    if (variable.starts_with(name) && variable.size() > name.size() &&
        variable[name.size()] == '=') {
      return *entry + name.size() + 1;
    }
  }
  return nullptr;
}

void provide_environment() {
  if (environ == nullptr) environ = initial_environment();
}

void random_bytes(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const SyscallResult got = system_call(SYS_getrandom, bytes.data(), bytes.size(), GRND_NONBLOCK);
    if (got.ok() && got.raw > 0) {
      bytes = bytes.subspan(static_cast<size_t>(got.raw));
      continue;
    }
    if (got.error() == EINTR) continue;
    // No entropy yet, or the call is filtered: 16 bytes from the kernel at exec, the clock and
    // the stack's random place.
    const auto* kernel = reinterpret_cast<const char*>(getauxval(AT_RANDOM));
    uint64_t seed[2] = {};
    if (kernel != nullptr) memcpy(seed, kernel, sizeof seed);
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    base::Rng rng(seed[0] ^ base::mix64(seed[1]) ^ static_cast<uint64_t>(now.tv_nsec) ^
                  reinterpret_cast<uintptr_t>(&rng));
    for (std::byte& b : bytes) b = static_cast<std::byte>(rng.next() >> 56);
    return;
  }
}

uint64_t random_u64() {
  uint64_t value;
  random_bytes(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

pid_t process_id() { return static_cast<pid_t>(system_call(SYS_getpid).raw); }

pid_t thread_id() { return static_cast<pid_t>(system_call(SYS_gettid).raw); }

uint32_t coarse_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<uint32_t>(now.tv_sec * 1000 + now.tv_nsec / 1'000'000);
}

SyscallResult write_quietly(int fd, std::string_view text) {
  const uint64_t signals = signal_bit(SIGPIPE) | signal_bit(SIGXFSZ);
  uint64_t former = 0;
  const bool held =
      system_call(SYS_rt_sigprocmask, SIG_BLOCK, &signals, &former, sizeof former).ok();
  SyscallResult wrote{0};
  do {
    wrote = system_call(SYS_write, fd, text.data(), text.size());
  } while (wrote.error() == EINTR);
  if (wrote.error() == EPIPE || wrote.error() == EFBIG) {
    // The signal is this thread's, and waits.
    const timespec at_once{};
    system_call(SYS_rt_sigtimedwait, &signals, 0, &at_once, sizeof signals);
  }
  if (held) system_call(SYS_rt_sigprocmask, SIG_SETMASK, &former, 0, sizeof former);
  return wrote;
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const SyscallResult wrote = write_quietly(fd, text);
    // The program made it non-blocking, and it is full.
    if (wrote.error() == EAGAIN && wait_until_writable(fd)) continue;
    if (!wrote.ok() || wrote.raw == 0) return;
    text.remove_prefix(static_cast<size_t>(wrote.raw));
  }
}

void warn(std::string_view text) {
  base::FixedText<512> line;
  line << "gabion: warning: ";
  // Warnings quote the environment: one line, which leaves the terminal alone.
  for (const char c : text) line << (static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c);
  line << '\n';
  write_all(STDERR_FILENO, line.view());
}

void die(std::string_view text) {
  base::FixedText<512> line;
  line << "gabion: " << text << '\n';
  write_all(STDERR_FILENO, line.view());
  abort();
}

}  // namespace gabion::os
