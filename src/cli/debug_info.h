// Function, file and line of an address, from the DWARF data or the symbol table of one ELF file.
#ifndef GABION_CLI_DEBUG_INFO_H_
#define GABION_CLI_DEBUG_INFO_H_

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/cli/bug_report.h"
#include "src/cli/dwarf_scopes.h"

namespace gabion::cli {

class DebugInfo {
 public:
  // A file that cannot be opened or is no ELF file gives an object that knows nothing. Separate
  // debug files are found under the usual names; nothing is ever fetched from a network.
  explicit DebugInfo(const std::string& path);
  ~DebugInfo();
  DebugInfo(const DebugInfo&) = delete;
  DebugInfo& operator=(const DebugInfo&) = delete;

  bool valid() const { return module_ != nullptr; }
  const std::string& build_id() const { return build_id_; }  // hexadecimal, empty if there is none

  // The functions at an address of the file, innermost (inlined last) first. Empty when not even a
  // symbol is known.
  std::vector<SourceLocation> locate(uint64_t address);

 private:
  struct UnitRange {
    Dwarf_Addr begin, end;
    Dwarf_Die unit;
  };

  bool find_unit(Dwarf_Addr address, Dwarf_Die& unit, Dwarf_Addr& bias);
  void list_units();
  UnitLocations from_dwarf(Dwarf_Addr address);
  std::vector<SourceLocation> from_symbols(Dwarf_Addr address);

  Dwfl* session_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  Dwarf_Addr bias_ = 0;  // address in the session minus address in the file
  std::string build_id_;
  bool units_listed_ = false;
  std::vector<UnitRange> units_;  // by begin
};

}  // namespace gabion::cli

#endif  // GABION_CLI_DEBUG_INFO_H_
