#include "src/cli/elf_check.h"

#include <gelf.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <sstream>
#include <string_view>

#include "src/cli/command_path.h"
#include "src/cli/error.h"
#include "src/cli/file.h"
#include "src/cli/script.h"

namespace gabion::cli {
namespace {

constexpr unsigned char kOwnClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;

GElf_Half own_machine() {
  static const GElf_Half machine = [] {
    const FileDescriptor self = open_regular_file("/proc/self/exe");
    GElf_Ehdr header{};
    elf_version(EV_CURRENT);
    if (Elf* elf = elf_begin(self.get(), ELF_C_READ, nullptr); elf != nullptr) {
      gelf_getehdr(elf, &header);
      elf_end(elf);
    }
    return header.e_machine;
  }();
  return machine;
}

struct Sanitizer {
  std::string_view title;
  std::string_view library;  // part of the name of its shared runtime
  std::string_view symbol;   // what every program built with it defines or needs
};

constexpr std::array kSanitizers = {
    Sanitizer{"AddressSanitizer", "asan", "__asan_init"},
    Sanitizer{"HWAddressSanitizer", "hwasan", "__hwasan_init"},
    Sanitizer{"ThreadSanitizer", "tsan", "__tsan_init"},
    Sanitizer{"MemorySanitizer", "msan", "__msan_init"},
    Sanitizer{"LeakSanitizer", "lsan", "__lsan_init"},
};

const Sanitizer* sanitizer_of_library(std::string_view name) {
  for (const Sanitizer& sanitizer : kSanitizers) {
    const std::string gcc = "lib" + std::string(sanitizer.library) + ".so";
    const std::string clang = "libclang_rt." + std::string(sanitizer.library);
    if (name.starts_with(gcc) || name.starts_with(clang)) return &sanitizer;
  }
  return nullptr;
}

class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : file_(open_regular_file(path)) {
    elf_version(EV_CURRENT);
    if (file_) elf_.reset(elf_begin(file_.get(), ELF_C_READ, nullptr));
    if (elf_ == nullptr || elf_kind(elf_.get()) != ELF_K_ELF ||
        gelf_getehdr(elf_.get(), &header_) == nullptr) {
      elf_.reset();
    }
  }

  bool valid() const { return elf_ != nullptr; }
  const GElf_Ehdr& header() const { return header_; }

  // Empty when there is none: the kernel starts the program without a dynamic loader.
  std::string loader() const {
    size_t count = 0;
    elf_getphdrnum(elf_.get(), &count);
    for (size_t i = 0; i < count; ++i) {
      GElf_Phdr segment;
      if (gelf_getphdr(elf_.get(), static_cast<int>(i), &segment) == nullptr) continue;
      if (segment.p_type != PT_INTERP) continue;
      std::string name(std::min<GElf_Xword>(segment.p_filesz, 4096), '\0');
      const ssize_t length =
          pread(file_.get(), name.data(), name.size(), static_cast<off_t>(segment.p_offset));
      name.resize(static_cast<size_t>(std::max<ssize_t>(length, 0)));
      return name.c_str();  // without the NUL at its end
    }
    return {};
  }

  const Sanitizer* sanitizer() const {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf_.get(), section)) != nullptr) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_entsize == 0) continue;
      const Sanitizer* found = nullptr;
      if (header.sh_type == SHT_DYNAMIC) found = in_needed(section, header);
      if (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB) {
        found = in_symbols(section, header);
      }
      if (found != nullptr) return found;
    }
    return nullptr;
  }

 private:
  struct EndElf {
    void operator()(Elf* elf) const { elf_end(elf); }
  };

  const Sanitizer* in_needed(Elf_Scn* section, const GElf_Shdr& header) const {
    Elf_Data* data = elf_getdata(section, nullptr);
    const size_t count = header.sh_size / header.sh_entsize;
    for (size_t i = 0; data != nullptr && i < count; ++i) {
      GElf_Dyn entry;
      if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr) break;
      if (entry.d_tag != DT_NEEDED) continue;
      const char* name = elf_strptr(elf_.get(), header.sh_link, entry.d_un.d_val);
      if (name == nullptr) continue;
      if (const Sanitizer* found = sanitizer_of_library(name); found != nullptr) return found;
    }
    return nullptr;
  }

  const Sanitizer* in_symbols(Elf_Scn* section, const GElf_Shdr& header) const {
    Elf_Data* data = elf_getdata(section, nullptr);
    const size_t count = header.sh_size / header.sh_entsize;
    for (size_t i = 0; data != nullptr && i < count; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
      const char* name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
      if (name == nullptr || name[0] != '_' || name[1] != '_') continue;
      const auto* found =
          std::find_if(kSanitizers.begin(), kSanitizers.end(),
                       [&](const Sanitizer& sanitizer) { return sanitizer.symbol == name; });
      if (found != kSanitizers.end()) return found;
    }
    return nullptr;
  }

  FileDescriptor file_;
  std::unique_ptr<Elf, EndElf> elf_;
  GElf_Ehdr header_{};
};

// Whether execve would raise privileges, so that the loader ignores LD_PRELOAD.
bool raises_privileges(const std::string& path) {
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) return false;
  struct statvfs mount;
  if (statvfs(path.c_str(), &mount) == 0 && (mount.f_flag & ST_NOSUID) != 0) return false;
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return false;
  if ((info.st_mode & S_ISUID) != 0 && info.st_uid != getuid()) return true;
  const bool set_group = (info.st_mode & S_ISGID) != 0 && (info.st_mode & S_IXGRP) != 0;
  if (set_group && info.st_gid != getgid()) return true;
  return getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

std::optional<Obstacle> look_at(const std::string& path) {
  const ElfFile elf(path);
  if (!elf.valid()) return std::nullopt;  // exec will say what is wrong with it
  const GElf_Ehdr& header = elf.header();
  if (header.e_ident[EI_CLASS] != kOwnClass) {
    return Obstacle{path, header.e_ident[EI_CLASS] == ELFCLASS32 ? "is a 32-bit program"
                                                                 : "is a 64-bit program"};
  }
  if (header.e_machine != own_machine()) return Obstacle{path, "is for another kind of machine"};
  const std::string loader = elf.loader();
  if (loader.empty()) return Obstacle{path, "is statically linked"};
  if (base_name(loader).starts_with("ld-musl")) {
    return Obstacle{path, "uses another C library than glibc", true};
  }
  if (raises_privileges(path)) return Obstacle{path, "is set-user-ID or set-group-ID"};
  if (const Sanitizer* sanitizer = elf.sanitizer(); sanitizer != nullptr) {
    return Obstacle{path, "is built with " + std::string(sanitizer->title), true};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Obstacle> find_obstacle(const std::string& path,
                                      const std::optional<std::string>& path_list) {
  return look_at(resolve_script(path, path_list));
}

}  // namespace gabion::cli
