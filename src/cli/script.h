// Scripts: which program the kernel starts for a file that begins with "#!".
#ifndef GABION_CLI_SCRIPT_H_
#define GABION_CLI_SCRIPT_H_

#include <optional>
#include <string>

namespace gabion::cli {

// The interpreter at the end of the chain of "#!" lines, or `path` itself where it is no script.
// "#!/usr/bin/env NAME" leads to NAME, looked for in `path_list`.
std::string resolve_script(const std::string& path, const std::optional<std::string>& path_list);

}  // namespace gabion::cli

#endif  // GABION_CLI_SCRIPT_H_
