#ifndef GABION_CLI_VERSION_H_
#define GABION_CLI_VERSION_H_

namespace gabion::cli {

inline constexpr const char kVersion[] = "0.1.0";

}  // namespace gabion::cli

#endif  // GABION_CLI_VERSION_H_
