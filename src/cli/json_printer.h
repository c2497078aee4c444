// Bugs as one JSON array: the report as the runtime wrote it, with functions and lines put in, and
// how often it came.
#ifndef GABION_CLI_JSON_PRINTER_H_
#define GABION_CLI_JSON_PRINTER_H_

#include <string>

#include "src/cli/dedup.h"

namespace gabion::cli {

std::string print_json(const BugList& bugs);

}  // namespace gabion::cli

#endif  // GABION_CLI_JSON_PRINTER_H_
