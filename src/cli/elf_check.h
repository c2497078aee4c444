// Whether a preloaded library can do anything for a program, told from its file.
#ifndef GABION_CLI_ELF_CHECK_H_
#define GABION_CLI_ELF_CHECK_H_

#include <optional>
#include <string>

namespace gabion::cli {

struct Obstacle {
  std::string program;  // the file that was looked at: the interpreter, for a script
  std::string reason;   // "is statically linked"
  // The library would break the program or be broken by it: it must run without.
  bool must_not_preload = false;
};

// What keeps `path` from being checked, if anything. `path_list` (PATH) is for `#!/usr/bin/env x`.
std::optional<Obstacle> find_obstacle(const std::string& path,
                                      const std::optional<std::string>& path_list);

}  // namespace gabion::cli

#endif  // GABION_CLI_ELF_CHECK_H_
