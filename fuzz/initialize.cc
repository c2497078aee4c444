// What each target does before its first input.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr char kOptions[] = "GABION_OPTIONS";

// A report must end in a signal, or libFuzzer does not save the input; a small quarantine makes
// blocks leave it within one input.
constexpr char kOurOptions[] = "abort_on_error=1:quarantine_mib=4";

constexpr const char* kEntryPoints[] = {
    "malloc",   "calloc",         "realloc", "reallocarray",       "free",  "aligned_alloc",
    "memalign", "posix_memalign", "_Znwm",   "malloc_usable_size", "_ZdlPv"};

// The runtime reads its options before main, so they have to be there when the program starts.
void restart_with_options(char** arguments) {
  const char* given = std::getenv(kOptions);
  if (given != nullptr && std::strstr(given, kOurOptions) == given) return;
  char options[4096];
  std::snprintf(options, sizeof options, "%s%s%s", kOurOptions, given != nullptr ? ":" : "",
                given != nullptr ? given : "");
  setenv(kOptions, options, 1);
  execv("/proc/self/exe", arguments);
  std::perror("gabion fuzz: cannot restart");
  std::exit(1);
}

const void* object_of(const void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

// The allocator is linked into the program. If the linker took libc's instead, nothing of Gabion
// would be tested, and nobody would see it.
void require_own_entry_points() {
  for (const char* name : kEntryPoints) {
    if (object_of(dlsym(RTLD_DEFAULT, name)) == object_of(kOptions)) continue;
    std::fprintf(stderr, "gabion fuzz: %s is not Gabion's\n", name);
    std::exit(1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
  require_own_entry_points();
  restart_with_options(*arguments);
  return 0;
}
