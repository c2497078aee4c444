// Stands in for a runtime library in tests of the command: a preloaded library that writes reports
// in the real format, with real addresses, whenever a program asks for one by calling
// `fake_report`, if there is one.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::string option(const char* key) {
  const char* variable = getenv("GABION_OPTIONS");
  std::string all = std::string(":") + (variable == nullptr ? "" : variable) + ":";
  const size_t at = all.rfind(std::string(":") + key + "=");
  if (at == std::string::npos) return {};
  const size_t begin = at + strlen(key) + 2;
  return all.substr(begin, all.find(':', begin) - begin);
}

std::string hex(uintptr_t value) {
  char text[32];
  snprintf(text, sizeof text, "0x%lx", static_cast<unsigned long>(value));
  return text;
}

std::string program() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return {path, static_cast<size_t>(length > 0 ? length : 0)};
}

struct Module {
  uintptr_t pc;
  std::string path, build_id;
  uintptr_t bias;
};

int match(dl_phdr_info* info, size_t, void* data) {
  auto* module = static_cast<Module*>(data);
  bool found = false;
  std::string build_id;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && module->pc >= begin && module->pc < begin + segment.p_memsz) {
      found = true;
    }
    if (segment.p_type != PT_NOTE) continue;
    for (uintptr_t at = begin; at + 12 < begin + segment.p_memsz;) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const uintptr_t name = at + sizeof *note;
      const uintptr_t bits = name + ((note->n_namesz + 3u) & ~3u);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4) {
        for (unsigned b = 0; b < note->n_descsz; ++b) {
          char byte[3];
          snprintf(byte, sizeof byte, "%02x", reinterpret_cast<const uint8_t*>(bits)[b]);
          build_id += byte;
        }
      }
      at = bits + ((note->n_descsz + 3u) & ~3u);
    }
  }
  if (!found) return 0;
  module->bias = info->dlpi_addr;
  module->path = info->dlpi_name[0] == '\0' ? program() : info->dlpi_name;
  module->build_id = build_id;
  return 1;
}

std::string stack() {
  void* pcs[32];
  const int count = backtrace(pcs, 32);
  std::string frames;
  for (int i = 0; i < count; ++i) {
    Module module{reinterpret_cast<uintptr_t>(pcs[i]), "", "", 0};
    dl_iterate_phdr(match, &module);
    if (i != 0) frames += ',';
    frames += R"({"pc":")" + hex(module.pc) + R"(","module":")" + module.path + R"(","offset":")" +
              hex(module.pc - module.bias) + '"';
    if (!module.build_id.empty()) frames += R"(,"build_id":")" + module.build_id + '"';
    Dl_info info;
    if (dladdr(pcs[i], &info) != 0 && info.dli_sname != nullptr) {
      frames += std::string(R"(,"function":")") + info.dli_sname + '"';
    }
    frames += '}';
  }
  return R"({"thread":0,"frames":[)" + frames + "]}";
}

void write_line(const std::string& text) {
  const std::string name = program();
  const std::string path = option("log_dir") + "/gabion." + name.substr(name.rfind('/') + 1) + "." +
                           std::to_string(getpid()) + ".jsonl";
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  struct stat info;
  std::string all = text + '\n';
  if (fstat(fd, &info) == 0 && info.st_size == 0) {
    all = R"({"type":"header","version":1,"pid":1,"args":["a"]})"
          "\n" +
          all;
  }
  if (write(fd, all.data(), all.size()) < 0) perror("fake runtime");
  close(fd);
}

}  // namespace

// `kind` "raw:..." writes what follows as it is.
extern "C" __attribute__((visibility("default"), noinline)) void fake_report(const char* kind) {
  if (strncmp(kind, "raw:", 4) == 0) return write_line(kind + 4);
  const std::string frames = stack();
  write_line(std::string(R"({"type":"report","version":1,"pid":)") + std::to_string(getpid()) +
             R"(,"tid":1,"thread":0,"program":")" + program() + R"(","kind":")" + kind +
             R"(","message":"made up","address":"0x7f000000100a","detected":"free",)"
             R"("access":{"type":"write","size":1},)"
             R"("block":{"address":"0x7f0000001000","size":10,"offset":10,"kind":"malloc",)"
             R"("state":"live","alignment":16},)"
             R"("damage":{"offset":10,"length":1,"found":"41d3","expected":"d3d3"},)"
             R"("stacks":{"error":)" +
             frames + R"(,"alloc":)" + frames + "}}");
  if (option("halt_on_error") == "0") return;
  if (option("abort_on_error") == "1") abort();
  _exit(atoi(option("exit_code").c_str()));
}
