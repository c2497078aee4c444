// Function names from ELF symbol tables, in memory and in files.
#ifndef GABION_REPORT_ELF_NAMES_H_
#define GABION_REPORT_ELF_NAMES_H_

#include <link.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace gabion::report {

struct FunctionName {
  std::string_view name;
  uintptr_t begin = 0;  // ELF address
};

// The build id among the notes of a loaded object, whose ELF header lies at `begin`.
std::span<const uint8_t> loaded_build_id(uintptr_t begin, const link_map& module);

// The exported function of a loaded object that holds the ELF address.
bool find_dynamic_name(const link_map& module, uintptr_t address, FunctionName& found);

// The functions of a file with a symbol table (not stripped), which is mapped while this lives.
class ElfFile {
 public:
  constexpr ElfFile() = default;
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  // Maps the file unless it is the one mapped now (by the same pointer), and drops the former one.
  // `path` is kept until then. A file with another build id was replaced and is not used.
  void open(const char* path, std::span<const uint8_t> build_id);
  bool find_name(uintptr_t address, FunctionName& found) const;
  void close();

 private:
  void use(std::span<const uint8_t> build_id);
  template <typename T>
  std::span<const T> table(uint64_t offset, uint64_t size) const;

  const char* path_ = nullptr;
  std::span<const uint8_t> image_;
  std::span<const ElfW(Sym)> symbols_;
  std::span<const char> names_;
};

}  // namespace gabion::report

#endif  // GABION_REPORT_ELF_NAMES_H_
