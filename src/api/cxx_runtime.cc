#include "src/api/cxx_runtime.h"

#include <dlfcn.h>

#include "src/os/process.h"

namespace gabion::api {
namespace {

using ThrowBadAlloc = void (*)();
using GetNewHandler = NewHandler (*)();

// Both libstdc++ and libc++ export these two under these names.
constexpr char kThrowBadAlloc[] = "_ZSt17__throw_bad_allocv";
constexpr char kGetNewHandler[] = "_ZSt15get_new_handlerv";

// For a runtime linked statically beside Gabion, which no dynamic symbol table shows.
extern "C" {
[[gnu::weak, gnu::visibility("default")]] void gabion_weak_throw_bad_alloc() asm(
    "_ZSt17__throw_bad_allocv");
[[gnu::weak, gnu::visibility("default")]] NewHandler gabion_weak_get_new_handler() asm(
    "_ZSt15get_new_handlerv");
}

// A C program may load a C++ plugin, whose runtime is then visible to that plugin only.
void* find_from(uintptr_t caller, const char* name) {
  Dl_info module;
  if (dladdr(reinterpret_cast<void*>(caller), &module) == 0) return nullptr;
  void* const handle = dlopen(module.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return nullptr;
  void* const symbol = dlsym(handle, name);
  dlclose(handle);
  return symbol;
}

// Looked up when it is needed, not before: the runtime may have come by dlopen.
void* find(uintptr_t caller, const char* name) {
  void* symbol = dlsym(RTLD_DEFAULT, name);
  if (symbol == nullptr) symbol = find_from(caller, name);
  if (symbol == nullptr) dlerror();  // the failure is not the program's
  return symbol;
}

}  // namespace

NewHandler new_handler(uintptr_t caller) {
  GetNewHandler get = gabion_weak_get_new_handler;
  if (get == nullptr) get = reinterpret_cast<GetNewHandler>(find(caller, kGetNewHandler));
  return get == nullptr ? nullptr : get();
}

void throw_bad_alloc(uintptr_t caller) {
  ThrowBadAlloc throw_it = gabion_weak_throw_bad_alloc;
  if (throw_it == nullptr) throw_it = reinterpret_cast<ThrowBadAlloc>(find(caller, kThrowBadAlloc));
  if (throw_it != nullptr) throw_it();
  os::die("operator new is out of memory, and the program has no C++ runtime to throw");
}

}  // namespace gabion::api
