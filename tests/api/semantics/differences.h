// Where Gabion differs from glibc on purpose.

#ifndef GABION_TESTS_API_SEMANTICS_DIFFERENCES_H_
#define GABION_TESTS_API_SEMANTICS_DIFFERENCES_H_

#include <span>
#include <string_view>

namespace gabion::testing {

struct Difference {
  std::string_view profile;  // empty: all
  std::string_view calls;    // a call's name; with * at its end: all that begin so
  std::string_view glibc;    // what it does there; the line is stale when it does not
  std::string_view gabion;
  std::string_view reason;
};

std::span<const Difference> differences();

}  // namespace gabion::testing

#endif  // GABION_TESTS_API_SEMANTICS_DIFFERENCES_H_
