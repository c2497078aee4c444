#ifndef GABION_TESTS_BENCH_SUPPORT_STOPWATCH_H_
#define GABION_TESTS_BENCH_SUPPORT_STOPWATCH_H_

#include <chrono>

namespace gabion::bench {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_SUPPORT_STOPWATCH_H_
