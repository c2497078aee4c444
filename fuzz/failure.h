// How a target says that the allocator broke a promise.
#ifndef GABION_FUZZ_FAILURE_H_
#define GABION_FUZZ_FAILURE_H_

namespace gabion::fuzz {

// What runs now; named by every failure. `operation` must outlive the step.
void set_step(int step, const char* operation);

// Writes one line to stderr without allocating (the heap may be damaged) and aborts, which
// libFuzzer turns into a saved input.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace gabion::fuzz

#endif  // GABION_FUZZ_FAILURE_H_
