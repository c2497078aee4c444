// Calls fake_report from functions of several shapes. The test looks for the lines marked below.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static void report(const char* kind) __attribute__((noinline));
static void report(const char* kind) {
  // Not a weak reference: in a program that is not position independent it is null for good.
  const auto call = reinterpret_cast<void (*)(const char*)>(dlsym(RTLD_DEFAULT, "fake_report"));
  if (call != nullptr) call(kind);  // line: report
  asm volatile("");                 // not a tail call
}

namespace outer {
namespace {
struct Widget {
  __attribute__((noinline)) int poke(int x) const {
    report("heap-buffer-overflow");  // line: poke
    return x + 1;
  }
};
}  // namespace

inline __attribute__((always_inline)) int inlined_inner(int x) {
  report("heap-buffer-overflow");  // line: inlined_inner
  return x * 3;
}

inline __attribute__((always_inline)) int inlined_middle(int x) {
  return inlined_inner(x) + 1;  // line: inlined_middle
}

template <typename T>
__attribute__((noinline)) T templated(T x) {
  report("heap-buffer-overflow");  // line: templated
  return x + 1;
}
}  // namespace outer

__attribute__((noinline)) int with_inlined(int x) {
  return outer::inlined_middle(x) + 2;  // line: with_inlined
}

__attribute__((noinline)) int with_lambda(int x) {
  const auto lambda = [&](int y) __attribute__((noinline)) {
    report("heap-buffer-overflow");  // line: lambda
    return x + y;
  };
  return lambda(4) + 1;  // line: with_lambda
}

extern "C" __attribute__((noinline)) int plain_c(int x) {
  report("heap-buffer-overflow");  // line: plain_c
  return x + 1;
}

#ifdef WITH_LIBRARY
extern "C" int in_library(int x);
#endif

int main(int count, char** values) {
  const char* what = count > 1 ? values[1] : "";
  std::puts("output");
  std::fflush(stdout);  // a report may end the process
  int result = 0;
  if (std::strcmp(what, "method") == 0) result = outer::Widget().poke(count);
  if (std::strcmp(what, "inline") == 0) result = with_inlined(count);
  if (std::strcmp(what, "lambda") == 0) result = with_lambda(count);
  if (std::strcmp(what, "template") == 0) result = outer::templated<long>(count) == 0;
  if (std::strcmp(what, "c") == 0) result = plain_c(count);  // line: main_c
  if (std::strcmp(what, "raw") == 0) report(values[2]);
  if (std::strcmp(what, "repeat") == 0) {
    for (int i = 0; i < 5; ++i) result += plain_c(i);
    result += outer::Widget().poke(count);
  }
#ifdef WITH_LIBRARY
  if (std::strcmp(what, "library") == 0) result = in_library(count);
#endif
  return result == 0 && count > 2 ? std::atoi(values[2]) : 0;
}
