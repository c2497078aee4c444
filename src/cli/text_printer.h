// Bug reports as text, in AddressSanitizer's manner: people and tools that read its reports read
// these.
#ifndef GABION_CLI_TEXT_PRINTER_H_
#define GABION_CLI_TEXT_PRINTER_H_

#include <string>

#include "src/cli/dedup.h"

namespace gabion::cli {

std::string print_text(const Bug& bug);

// "2 bugs in 5 reports of 3 processes", for the line at the end.
std::string print_totals(const BugList& bugs);

}  // namespace gabion::cli

#endif  // GABION_CLI_TEXT_PRINTER_H_
