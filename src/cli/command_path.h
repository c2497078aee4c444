// Which file a command name means.
#ifndef GABION_CLI_COMMAND_PATH_H_
#define GABION_CLI_COMMAND_PATH_H_

#include <optional>
#include <string>

namespace gabion::cli {

// As execvp: a name with a slash is a path; another is looked for in `path_list` (PATH), in which
// an empty entry is the current directory. Throws Error with status 127 (not found) or 126 (found,
// but a directory or not executable).
std::string resolve_command(const std::string& name, const std::optional<std::string>& path_list);

}  // namespace gabion::cli

#endif  // GABION_CLI_COMMAND_PATH_H_
