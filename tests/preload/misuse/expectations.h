// What must be reported about each misuse program: the one table that the driver checks.

#ifndef GABION_TESTS_PRELOAD_MISUSE_EXPECTATIONS_H_
#define GABION_TESTS_PRELOAD_MISUSE_EXPECTATIONS_H_

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace gabion::testing {

// What the hardened profile promises for a program. The debug profile finds all of them, the fast
// profile promises nothing but an end.
enum class Hardened {
  kFinds,
  kMayMiss,
};

constexpr std::int64_t kNotChecked = std::numeric_limits<std::int64_t>::min();

// Text fields are not checked when empty. Stacks list the functions that must be in them.
struct Expectation {
  std::string_view program;
  std::string_view kind;
  std::string_view detected = "free";
  std::int64_t size = kNotChecked;    // of the block
  std::int64_t offset = kNotChecked;  // of the access from the block's start
  // How many bytes from `offset` on may be the first damaged one: a library function that writes
  // fixed text can by chance write what a canary held.
  std::int64_t span = 1;
  std::string_view block = {};   // kind of the block
  std::string_view state = {};   // of the block: "live", "freed"
  std::string_view region = {};  // for pointers that are no block's
  std::string_view access = {};
  std::string_view error = {};  // stacks: "function function"
  std::string_view free = {};
  std::string_view alloc = {};
  std::int64_t error_thread = 0;
  std::int64_t free_thread = 0;
  std::int64_t alloc_thread = 0;
  std::string_view allocated_with = {};
  std::string_view released_with = {};
  std::int64_t released_size = kNotChecked;
  Hardened hardened = Hardened::kFinds;
  std::string_view hardened_kind = {};  // where that profile knows less
  std::string_view options = {};        // more GABION_OPTIONS
  std::size_t reports = 1;              // by the whole process tree
  std::size_t distinct = 1;             // left when equal ones are printed once
};

std::span<const Expectation> expectations();

}  // namespace gabion::testing

#endif  // GABION_TESTS_PRELOAD_MISUSE_EXPECTATIONS_H_
