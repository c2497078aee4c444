// Turns an address of code into module, place in the module, and function.
//
// No lock is taken: dladdr and dl_iterate_phdr would wait for another thread's dlopen, which may
// itself be waiting to report. So the module comes from os::find_loaded_code, its build id from
// its notes in memory, the name from its dynamic symbols in memory or from the symbol table of its
// file. Names are as the compiler wrote them: a demangler would allocate.
#ifndef GABION_REPORT_SYMBOLS_H_
#define GABION_REPORT_SYMBOLS_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace gabion::report {

struct Symbol {
  std::string_view module;  // path; empty if the address is in no module
  uintptr_t offset = 0;     // from the module's load bias: the address in its ELF file
  std::span<const uint8_t> build_id;
  std::string_view function;  // empty if not known
  uintptr_t function_offset = 0;
};

// For a return address. From one thread at a time; what the symbol refers to lasts until the next
// call of either function. `program` is the path of the executable, for which the linker has no
// name.
Symbol symbolize(uintptr_t return_address, std::string_view program);

// Unmaps the file that was read last.
void release_symbol_file();

}  // namespace gabion::report

#endif  // GABION_REPORT_SYMBOLS_H_
