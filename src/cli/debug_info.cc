#include "src/cli/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "src/cli/demangle.h"
#include "src/cli/file.h"

namespace gabion::cli {
namespace {

const Dwfl_Callbacks kCallbacks = {
    // The file is always given by descriptor.
    .find_elf = [](Dwfl_Module*, void**, const char*, Dwarf_Addr, char**, Elf**) { return -1; },
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = nullptr,
};

}  // namespace

DebugInfo::DebugInfo(const std::string& path) {
  // libdw would ask the servers named there, and wait for them.
  static const bool offline = unsetenv("DEBUGINFOD_URLS") == 0;
  static_cast<void>(offline);

  FileDescriptor file = path.starts_with('/') ? open_regular_file(path) : FileDescriptor();
  if (!file) return;
  session_ = dwfl_begin(&kCallbacks);
  if (session_ == nullptr) return;
  dwfl_report_begin(session_);
  module_ = dwfl_report_offline(session_, path.c_str(), path.c_str(), file.get());
  if (module_ != nullptr) file.release();  // libdw closes it
  dwfl_report_end(session_, nullptr, nullptr);
  if (module_ == nullptr) return;

  if (dwfl_module_getelf(module_, &bias_) == nullptr) {
    module_ = nullptr;
    return;
  }
  const unsigned char* bits = nullptr;
  GElf_Addr where = 0;
  const int length = dwfl_module_build_id(module_, &bits, &where);
  for (int i = 0; i < length; ++i) build_id_ += fmt::format("{:02x}", bits[i]);
}

DebugInfo::~DebugInfo() {
  if (session_ != nullptr) dwfl_end(session_);
}

std::vector<SourceLocation> DebugInfo::locate(uint64_t address) {
  if (!valid()) return {};
  std::vector<SourceLocation> symbols = from_symbols(address + bias_);
  UnitLocations found = from_dwarf(address + bias_);
  if (found.list.empty()) return symbols;
  // The symbol names the outermost function: better than DWARF does for local functions of C++, and
  // at all where there are only line numbers.
  SourceLocation& outermost = found.list.back();
  if (!symbols.empty() && !found.outermost_is_complete) {
    const bool is_cplusplus = symbols.front().function.find('(') != std::string::npos;
    if (is_cplusplus || outermost.function.empty()) outermost.function = symbols.front().function;
    if (outermost.function_offset == 0) {
      outermost.function_offset = symbols.front().function_offset;
    }
  }
  return std::move(found.list);
}

void DebugInfo::list_units() {
  units_listed_ = true;
  Dwarf_Die* unit = nullptr;
  Dwarf_Addr bias = 0;
  while ((unit = dwfl_module_nextcu(module_, unit, &bias)) != nullptr) {
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(unit, next, &base, &begin, &end)) > 0;) {
      units_.push_back({begin + bias, end + bias, *unit});
    }
  }
  std::sort(units_.begin(), units_.end(),
            [](const UnitRange& a, const UnitRange& b) { return a.begin < b.begin; });
}

bool DebugInfo::find_unit(Dwarf_Addr address, Dwarf_Die& unit, Dwarf_Addr& bias) {
  if (Dwarf_Die* indexed = dwfl_module_addrdie(module_, address, &bias); indexed != nullptr) {
    unit = *indexed;
    return true;
  }
  // The index that libdw uses (.debug_aranges) is left out by clang.
  if (dwfl_module_getdwarf(module_, &bias) == nullptr) return false;
  if (!units_listed_) list_units();
  const auto after = std::upper_bound(
      units_.begin(), units_.end(), address,
      [](Dwarf_Addr value, const UnitRange& range) { return value < range.begin; });
  if (after == units_.begin() || address >= std::prev(after)->end) return false;
  unit = std::prev(after)->unit;
  return true;
}

UnitLocations DebugInfo::from_dwarf(Dwarf_Addr address) {
  Dwarf_Die unit;
  Dwarf_Addr bias = 0;
  if (!find_unit(address, unit, bias)) return {};
  return locate_in_unit(unit, address - bias);
}

std::vector<SourceLocation> DebugInfo::from_symbols(Dwarf_Addr address) {
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name =
      dwfl_module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || name[0] == '\0') return {};
  // The nearest symbol below is no answer when it ends before the address.
  if (symbol.st_size != 0 && offset >= symbol.st_size) return {};
  SourceLocation location;
  location.function = demangle(name);
  location.function_offset = offset;
  return {location};
}

}  // namespace gabion::cli
