// gabion run: the command with a library preloaded, then its bugs.
#ifndef GABION_CLI_RUN_H_
#define GABION_CLI_RUN_H_

#include <vector>

#include "src/cli/command_line.h"

namespace gabion::cli {

// Returns the exit status. Throws Error.
int run(const RunRequest& request, const std::vector<int>& closed_streams);

}  // namespace gabion::cli

#endif  // GABION_CLI_RUN_H_
