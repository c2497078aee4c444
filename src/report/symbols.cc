#include "src/report/symbols.h"

#include "src/os/loaded_code.h"
#include "src/report/elf_names.h"

namespace gabion::report {
namespace {

constinit ElfFile file;

}  // namespace

Symbol symbolize(uintptr_t return_address, std::string_view program) {
  Symbol symbol;
  os::LoadedCode code;
  if (!os::find_loaded_code(return_address - 1, code) || code.module == nullptr) return symbol;
  const link_map& module = *code.module;
  const bool is_program = module.l_name == nullptr || *module.l_name == '\0';
  symbol.module = is_program ? program : std::string_view(module.l_name);
  symbol.offset = return_address - module.l_addr;
  symbol.build_id = loaded_build_id(code.begin, module);
  FunctionName found;
  if (!find_dynamic_name(module, symbol.offset - 1, found)) {
    // The kernel's link leads to the executable even when it was renamed.
    file.open(is_program ? "/proc/self/exe" : module.l_name, symbol.build_id);
    if (!file.find_name(symbol.offset - 1, found)) return symbol;
  }
  symbol.function = found.name;
  symbol.function_offset = symbol.offset - found.begin;
  return symbol;
}

void release_symbol_file() { file.close(); }

}  // namespace gabion::report
