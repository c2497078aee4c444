// A small fast generator (xoroshiro128+) for choices that need not withstand an adversary, and the
// mixer that seeds it. Secrets come from os::random_bytes.
#ifndef GABION_BASE_RNG_H_
#define GABION_BASE_RNG_H_

#include <bit>
#include <cstdint>

namespace gabion::base {

// A bijection on 64 bits in which every input bit affects every output bit (splitmix64's finish).
constexpr uint64_t mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Rng {
 public:
  constexpr explicit Rng(uint64_t seed = 1) : a_(mix64(seed)), b_(mix64(seed + 1)) {}

  constexpr uint64_t next() {
    const uint64_t a = a_;
    uint64_t b = b_;
    const uint64_t result = a + b;
    b ^= a;
    a_ = std::rotl(a, 24) ^ b ^ (b << 16);
    b_ = std::rotl(b, 37);
    return result;
  }

  // Uniform in [0, bound) up to a bias of bound / 2^32; `bound` is not zero.
  constexpr uint32_t below(uint32_t bound) {
    return static_cast<uint32_t>(((next() >> 32) * bound) >> 32);
  }

 private:
  uint64_t a_;
  uint64_t b_;
};

}  // namespace gabion::base

#endif  // GABION_BASE_RNG_H_
