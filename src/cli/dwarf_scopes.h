// The walk through one DWARF compilation unit down to the functions that cover an address.
#ifndef GABION_CLI_DWARF_SCOPES_H_
#define GABION_CLI_DWARF_SCOPES_H_

#include <elfutils/libdw.h>

#include <vector>

#include "src/cli/bug_report.h"

namespace gabion::cli {

struct UnitLocations {
  std::vector<SourceLocation> list;
  // The name of the last one came from a symbol and has parameters. Local functions and those of C
  // only have a name.
  bool outermost_is_complete = false;
};

// Innermost first: inlined functions, each at the place of its own code, then the real function.
// `address` is one of the DWARF data. With line numbers but no functions, one nameless location.
UnitLocations locate_in_unit(Dwarf_Die& unit, Dwarf_Addr address);

}  // namespace gabion::cli

#endif  // GABION_CLI_DWARF_SCOPES_H_
