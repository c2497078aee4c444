#ifndef GABION_TESTS_BENCH_SUPPORT_RANDOM_H_
#define GABION_TESTS_BENCH_SUPPORT_RANDOM_H_

#include <cstddef>
#include <cstdint>

namespace gabion::bench {

// Small, fast and the same everywhere: two runs with one seed make the same calls. (std::mt19937
// would cost more than the malloc it chooses a size for.)
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) { next(); }

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  // Uniform in [0, limit), for limits below 2^32.
  std::size_t below(std::size_t limit) { return ((next() >> 32) * limit) >> 32; }

  // Uniform in [low, high].
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }

  // True in `percent` of a hundred calls.
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_SUPPORT_RANDOM_H_
