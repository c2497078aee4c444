// gabion report: prints what log directories hold.
#ifndef GABION_CLI_REPORT_COMMAND_H_
#define GABION_CLI_REPORT_COMMAND_H_

#include "src/cli/command_line.h"

namespace gabion::cli {

// Returns the exit status. Throws Error.
int report(const ReportRequest& request);

}  // namespace gabion::cli

#endif  // GABION_CLI_REPORT_COMMAND_H_
