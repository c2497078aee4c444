#include "src/report/elf_names.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "src/os/probe.h"
#include "src/os/syscall.h"

namespace gabion::report {
namespace {

using Bytes = std::span<const uint8_t>;
using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);
using ElfSymbol = ElfW(Sym);

bool is_elf(const Header& header) {
  return memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32);
}

Bytes build_id_in(Bytes notes) {
  constexpr std::string_view kOwner("GNU\0", 4);
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, notes.data(), sizeof note);
    const size_t name_size = (size_t{note.n_namesz} + 3) & ~size_t{3};
    const size_t content = sizeof note + name_size;
    const size_t size = content + ((size_t{note.n_descsz} + 3) & ~size_t{3});
    if (size > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == kOwner.size() &&
        memcmp(notes.data() + sizeof note, kOwner.data(), kOwner.size()) == 0) {
      return notes.subspan(content, note.n_descsz);
    }
    notes = notes.subspan(size);
  }
  return {};
}

bool holds(const ElfSymbol& symbol, uintptr_t address) {
  const auto type = symbol.st_info & 0xf;
  return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_shndx != SHN_UNDEF &&
         address >= symbol.st_value && address - symbol.st_value < symbol.st_size;
}

// How many entries the symbol table has: only the hash table over it says.
size_t count_dynamic_symbols(const uint32_t* gnu_hash, const uint32_t* sysv_hash) {
  if (sysv_hash != nullptr) return sysv_hash[1];
  if (gnu_hash == nullptr) return 0;
  const uint32_t bucket_count = gnu_hash[0], first = gnu_hash[1], bloom_words = gnu_hash[2];
  const uint32_t* buckets = gnu_hash + 4 + bloom_words * (sizeof(uintptr_t) / sizeof(uint32_t));
  const uint32_t* chains = buckets + bucket_count;
  uint32_t last = 0;
  for (uint32_t i = 0; i < bucket_count; ++i) last = std::max(last, buckets[i]);
  if (last < first) return first;
  while ((chains[last - first] & 1) == 0) ++last;  // the last of a chain is odd
  return size_t{last} + 1;
}

}  // namespace

Bytes loaded_build_id(uintptr_t begin, const link_map& module) {
  if (begin % sizeof(uintptr_t) != 0 || !os::is_readable(begin)) return {};
  const auto& header = *reinterpret_cast<const Header*>(begin);
  constexpr size_t kSurelyMapped = 4096;
  if (!is_elf(header) || header.e_phentsize != sizeof(Segment) ||
      header.e_phoff + size_t{header.e_phnum} * sizeof(Segment) > kSurelyMapped) {
    return {};
  }
  const std::span segments(reinterpret_cast<const Segment*>(begin + header.e_phoff),
                           header.e_phnum);
  for (const Segment& segment : segments) {
    if (segment.p_type != PT_NOTE) continue;
    const auto* notes = reinterpret_cast<const uint8_t*>(module.l_addr + segment.p_vaddr);
    const Bytes id = build_id_in({notes, segment.p_filesz});
    if (!id.empty()) return id;
  }
  return {};
}

bool find_dynamic_name(const link_map& module, uintptr_t address, FunctionName& found) {
  const ElfSymbol* symbols = nullptr;
  const char* names = nullptr;
  const uint32_t* gnu_hash = nullptr;
  const uint32_t* sysv_hash = nullptr;
  if (module.l_ld == nullptr) return false;
  for (const ElfW(Dyn)* entry = module.l_ld; entry->d_tag != DT_NULL; ++entry) {
    // The linker has made these absolute, but not in objects it may not write to (the vDSO).
    uintptr_t value = entry->d_un.d_ptr;
    if (value < module.l_addr) value += module.l_addr;
    switch (entry->d_tag) {
      case DT_SYMTAB:
        symbols = reinterpret_cast<const ElfSymbol*>(value);
        break;
      case DT_STRTAB:
        names = reinterpret_cast<const char*>(value);
        break;
      case DT_GNU_HASH:
        gnu_hash = reinterpret_cast<const uint32_t*>(value);
        break;
      case DT_HASH:
        sysv_hash = reinterpret_cast<const uint32_t*>(value);
        break;
      default:
        break;
    }
  }
  if (symbols == nullptr || names == nullptr) return false;
  for (const ElfSymbol& symbol : std::span(symbols, count_dynamic_symbols(gnu_hash, sysv_hash))) {
    if (!holds(symbol, address)) continue;
    found = {.name = names + symbol.st_name, .begin = symbol.st_value};
    return true;
  }
  return false;
}

void ElfFile::close() {
  if (!image_.empty()) os::system_call(SYS_munmap, image_.data(), image_.size());
  path_ = nullptr;
  image_ = {};
  symbols_ = {};
  names_ = {};
}

void ElfFile::open(const char* path, Bytes build_id) {
  if (path == path_) return;
  close();
  path_ = path;
  const os::SyscallResult fd =
      os::system_call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (!fd.ok()) return;
  struct stat info{};
  const bool usable = os::system_call(SYS_newfstatat, fd.raw, "", &info, AT_EMPTY_PATH).ok() &&
                      S_ISREG(info.st_mode) && info.st_size > 0;
  if (usable) {
    const auto size = static_cast<size_t>(info.st_size);
    const os::SyscallResult map =
        os::system_call(SYS_mmap, 0, size, PROT_READ, MAP_PRIVATE, fd.raw, 0);
    if (map.ok()) image_ = {reinterpret_cast<const uint8_t*>(map.raw), size};
  }
  os::system_call(SYS_close, fd.raw);
  if (!image_.empty()) use(build_id);
}

template <typename T>
std::span<const T> ElfFile::table(uint64_t offset, uint64_t size) const {
  if (offset % alignof(T) != 0 || offset > image_.size() || size > image_.size() - offset)
    return {};
  return {reinterpret_cast<const T*>(image_.data() + offset), size / sizeof(T)};
}

void ElfFile::use(Bytes build_id) {
  const auto headers = table<Header>(0, sizeof(Header));
  if (headers.empty() || !is_elf(headers[0])) return;
  const Header& header = headers[0];
  if (header.e_shentsize != sizeof(Section)) return;
  const auto sections = table<Section>(header.e_shoff, size_t{header.e_shnum} * sizeof(Section));
  for (const Section& section : sections) {
    if (section.sh_type == SHT_NOTE) {
      const Bytes id = build_id_in(table<uint8_t>(section.sh_offset, section.sh_size));
      if (!id.empty() && !std::equal(id.begin(), id.end(), build_id.begin(), build_id.end())) {
        symbols_ = {};
        return;
      }
    }
    if (section.sh_type == SHT_SYMTAB && section.sh_link < sections.size()) {
      const Section& strings = sections[section.sh_link];
      names_ = table<char>(strings.sh_offset, strings.sh_size);
      symbols_ = table<ElfSymbol>(section.sh_offset, section.sh_size);
    }
  }
}

bool ElfFile::find_name(uintptr_t address, FunctionName& found) const {
  for (const ElfSymbol& symbol : symbols_) {
    if (!holds(symbol, address) || symbol.st_name >= names_.size()) continue;
    const auto rest = names_.subspan(symbol.st_name);
    const auto end = std::find(rest.begin(), rest.end(), '\0');
    found = {.name = {rest.data(), static_cast<size_t>(end - rest.begin())},
             .begin = symbol.st_value};
    return true;
  }
  return false;
}

}  // namespace gabion::report
