// A shared library between the program and the report.
extern "C" __attribute__((weak)) void fake_report(const char* kind);

namespace library {
__attribute__((noinline)) int deep(int x) {
  if (fake_report != nullptr) fake_report("heap-use-after-free");  // line: deep
  return x + 1;
}
}  // namespace library

extern "C" int in_library(int x) {
  return library::deep(x) + 1;  // line: in_library
}
