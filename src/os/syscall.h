// System calls made directly: they do not bind lazily, cannot be interposed by another preloaded
// library, and leave errno alone.
#ifndef GABION_OS_SYSCALL_H_
#define GABION_OS_SYSCALL_H_

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <type_traits>

namespace gabion::os {

// The kernel's answer: a value, or a negated errno in [-4095, -1].
struct SyscallResult {
  long raw;
  bool ok() const { return static_cast<unsigned long>(raw) < static_cast<unsigned long>(-4095); }
  int error() const { return ok() ? 0 : static_cast<int>(-raw); }
};

inline SyscallResult raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0,
                                 long e = 0, long f = 0) {
#if defined(__x86_64__)
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return {result};
#elif defined(__aarch64__)
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register long x1 asm("x1") = b;
  register long x2 asm("x2") = c;
  register long x3 asm("x3") = d;
  register long x4 asm("x4") = e;
  register long x5 asm("x5") = f;
  asm volatile("svc #0"
               : "+r"(x0)
               : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
               : "memory");
  return {x0};
#else
  const int saved = errno;
  const long result = ::syscall(number, a, b, c, d, e, f);
  const long answer = result == -1 ? -static_cast<long>(errno) : result;
  errno = saved;
  return {answer};
#endif
}

template <typename T>
long syscall_word(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return static_cast<long>(reinterpret_cast<intptr_t>(value));
  } else {
    return static_cast<long>(value);
  }
}

template <typename... Args>
SyscallResult system_call(long number, Args... args) {
  return raw_syscall(number, syscall_word(args)...);
}

}  // namespace gabion::os

#endif  // GABION_OS_SYSCALL_H_
