// Facts about the process and the calling thread, found without allocating.
#ifndef GABION_OS_PROCESS_H_
#define GABION_OS_PROCESS_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/os/syscall.h"

namespace gabion::os {

// True for set-user-ID, set-group-ID and file-capability programs: the environment is not trusted.
bool is_secure_execution();

// The value of an environment variable, or nullptr; also before libc has set `environ`.
const char* environment(std::string_view name);

// Sets `environ` where libc has not done so. To be called before a dlopen in the first
// constructors: it runs libc's own constructor, if that is still to come, with what it finds in
// `environ`.
void provide_environment();

// Fills `bytes` from the kernel's generator; never blocks: at early boot a weaker source serves.
void random_bytes(std::span<std::byte> bytes);
uint64_t random_u64();

pid_t process_id();
pid_t thread_id();

// Milliseconds of a monotonic clock that stands still for some milliseconds at a time but costs
// no system call.
uint32_t coarse_milliseconds();

// write(2). Where it would end the program by a signal (a pipe that nobody reads, a file that may
// grow no more) it only fails.
SyscallResult write_quietly(int fd, std::string_view text);

// Writes all of `text` to a descriptor in one call where the kernel allows. Errors are ignored.
void write_all(int fd, std::string_view text);

// One line to standard error: "gabion: warning: …".
void warn(std::string_view text);

// One line to standard error, then abort(): the heap is corrupt and no report can be made.
[[noreturn]] void die(std::string_view text);

}  // namespace gabion::os

#endif  // GABION_OS_PROCESS_H_
