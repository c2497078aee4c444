#ifndef GABION_TESTS_BENCH_COMPARE_ALLOCATORS_H_
#define GABION_TESTS_BENCH_COMPARE_ALLOCATORS_H_

#include <filesystem>
#include <string>
#include <vector>

namespace gabion::bench {

struct Allocator {
  std::string name;
  std::filesystem::path library;  // to preload; empty: the C library's own
};

struct Allocators {
  std::vector<Allocator> found;
  std::vector<std::string> missing;  // a line each: what, why, and how to get it
};

inline constexpr const char* kBaseline = "glibc";

// Turns names (glibc, fast, jemalloc...) and NAME=/path/lib.so into libraries. Gabion's own are
// looked for in `gabion_directory`. The baseline is always there, and first. Throws
// std::invalid_argument for an unknown name.
Allocators find_allocators(const std::vector<std::string>& specifications,
                           const std::filesystem::path& gabion_directory);

// Every name that find_allocators knows.
std::vector<std::string> known_allocators();

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_COMPARE_ALLOCATORS_H_
