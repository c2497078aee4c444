#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "tests/api/semantics/calls.h"
#include "tests/api/semantics/observe.h"

namespace gabion::testing {
namespace {

constexpr size_t kSizes[] = {0, 1, 24, 1000, 5000, 70000, (1 << 20) + 1, 40 << 20};
constexpr size_t kAlignments[] = {16, 64, 4096, 1 << 20};

template <typename Function>
Function* find(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

// What the release does to errno, or that there is none of the name.
template <typename Function, typename Call>
void call_release(const std::string& name, const char* symbol, Call call) {
  Function* function = find<Function>(symbol);
  if (function == nullptr) {
    print(name, "absent");
    return;
  }
  errno = kErrnoBefore;
  call(function);
  print(name, "errno " + errno_name(errno));
}

using Cfree = void(void*);
using FreeSized = void(void*, size_t);
using FreeAlignedSized = void(void*, size_t, size_t);

void* written(void* block, size_t size) {
  fill(block, size);
  return hidden(block);
}

void call_releases() {
  for (const size_t size : kSizes) {
    const std::string of_malloc = "(malloc(" + spelled(size) + "))";
    call_release<Cfree>("cfree" + of_malloc, "cfree",
                        [&](Cfree* release) { release(written(std::malloc(hidden(size)), size)); });
    call_release<FreeSized>("free_sized" + of_malloc, "free_sized", [&](FreeSized* release) {
      release(written(std::malloc(hidden(size)), size), size);
    });
    call_release<FreeSized>(
        "free_sized(calloc(" + spelled(size) + "))", "free_sized",
        [&](FreeSized* release) { release(written(std::calloc(hidden(size), 1), size), size); });
    call_release<FreeSized>(
        "free_sized(realloc(" + spelled(size) + "))", "free_sized", [&](FreeSized* release) {
          release(written(std::realloc(std::malloc(3), hidden(size + 1)), size + 1), size + 1);
        });
    for (const size_t alignment : kAlignments) {
      call_release<FreeAlignedSized>(
          "free_aligned_sized(" + spelled(alignment) + ", " + spelled(size) + ")",
          "free_aligned_sized", [&](FreeAlignedSized* release) {
            void* block = aligned_alloc(hidden(alignment), hidden(size));
            release(written(block, size), alignment, size);
          });
    }
  }
  call_release<Cfree>("cfree(NULL)", "cfree", [](Cfree* release) { release(nullptr); });
  call_release<FreeSized>("free_sized(NULL)", "free_sized",
                          [](FreeSized* release) { release(nullptr, 10); });
  call_release<FreeAlignedSized>("free_aligned_sized(NULL)", "free_aligned_sized",
                                 [](FreeAlignedSized* release) { release(nullptr, 16, 10); });
}

// libc's inner names: programs call them to reach `the real' malloc, and mix them with the others.
void call_inner_names() {
  auto* inner_malloc = find<void*(size_t)>("__libc_malloc");
  auto* inner_calloc = find<void*(size_t, size_t)>("__libc_calloc");
  auto* inner_realloc = find<void*(void*, size_t)>("__libc_realloc");
  auto* inner_memalign = find<void*(size_t, size_t)>("__libc_memalign");
  auto* inner_valloc = find<void*(size_t)>("__libc_valloc");
  auto* inner_pvalloc = find<void*(size_t)>("__libc_pvalloc");
  auto* inner_free = find<void(void*)>("__libc_free");

  const auto use = [&](const char* name, const Seen& seen, const Wanted& wanted) {
    print(name, judged_and_freed(seen, wanted));
  };
  use("__libc_malloc(100)", observe([&] { return inner_malloc(100); }), {.size = 100});
  use("__libc_calloc(10, 10)", observe([&] { return inner_calloc(10, 10); }),
      {.size = 100, .zero = true});
  use("__libc_realloc(malloc(10), 5000)",
      observe([&] { return inner_realloc(std::malloc(10), 5000); }), {.size = 5000});
  use("__libc_memalign(256, 100)", observe([&] { return inner_memalign(256, 100); }),
      {.size = 100, .alignment = 256});
  use("__libc_valloc(100)", observe([&] { return inner_valloc(100); }),
      {.size = 100, .alignment = 4096});
  use("__libc_pvalloc(100)", observe([&] { return inner_pvalloc(100); }),
      {.size = 4096, .alignment = 4096});
  use("realloc(__libc_malloc(10), 100)",
      observe([&] { return std::realloc(inner_malloc(10), 100); }), {.size = 100});
  errno = kErrnoBefore;
  inner_free(std::malloc(hidden(size_t{100})));
  print("__libc_free(malloc(100))", "errno " + errno_name(errno));
}

}  // namespace

void call_rare() {
  call_releases();
  call_inner_names();
}

}  // namespace gabion::testing
