// What the command's exit status can be, apart from the status of the program it runs.
#ifndef GABION_CLI_EXIT_STATUS_H_
#define GABION_CLI_EXIT_STATUS_H_

namespace gabion::cli {

inline constexpr int kUsageError = 2;
inline constexpr int kBugsFound = 86;  // default of --exit-code
inline constexpr int kOwnFailure = 125;
inline constexpr int kNotExecutable = 126;
inline constexpr int kNotFound = 127;
inline constexpr int kSignalBase = 128;

// Whether `status` may stand for "a bug was reported". 0 is success, 1 and 2 are every program's
// everyday failures, 77 and 99 mean "skipped" and "hard error" to test harnesses, and from 126 on
// the values belong to shells.
constexpr bool may_mean_bugs(int status) {
  return status > 2 && status <= 125 && status != 77 && status != 99;
}

}  // namespace gabion::cli

#endif  // GABION_CLI_EXIT_STATUS_H_
