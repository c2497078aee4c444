#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/api/semantics/calls.h"
#include "tests/api/semantics/observe.h"
#include "tests/api/semantics/sizes.h"

namespace gabion::testing {
namespace {

const char* yes_or_no(bool yes) { return yes ? "yes" : "no"; }

size_t in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void call_mallinfo() {
  for (const size_t size : {size_t{100000}, size_t{10} << 20}) {
    const size_t before = in_use();
    void* block = std::malloc(hidden(size));
    fill(block, size);
    print("mallinfo2 counts malloc(" + spelled(size) + ")",
          yes_or_no(in_use() >= before + size && in_use() < before + 2 * size));
    std::free(hidden(block));
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const struct mallinfo info = mallinfo();
#pragma GCC diagnostic pop
  print("mallinfo has no negative field",
        yes_or_no(info.arena >= 0 && info.ordblks >= 0 && info.smblks >= 0 && info.hblks >= 0 &&
                  info.hblkhd >= 0 && info.usmblks >= 0 && info.fsmblks >= 0 &&
                  info.uordblks >= 0 && info.fordblks >= 0 && info.keepcost >= 0));
}

void call_mallopt() {
  const struct {
    const char* name;
    int parameter;
    int value;
  } settings[] = {
      {"M_TRIM_THRESHOLD", M_TRIM_THRESHOLD, 128 << 10},
      {"M_TOP_PAD", M_TOP_PAD, 0},
      {"M_MMAP_THRESHOLD", M_MMAP_THRESHOLD, 256 << 10},
      {"M_MMAP_MAX", M_MMAP_MAX, 65536},
      {"M_CHECK_ACTION", M_CHECK_ACTION, 3},
      {"M_PERTURB", M_PERTURB, 0},
      {"M_ARENA_TEST", M_ARENA_TEST, 2},
      {"M_ARENA_MAX", M_ARENA_MAX, 8},
      {"M_MXFAST", M_MXFAST, 64},
      {"12345", 12345, 1},
      {"-12345", -12345, -1},
  };
  for (const auto& setting : settings) {
    print(std::string("mallopt(") + setting.name + ", " + std::to_string(setting.value) + ")",
          std::to_string(mallopt(setting.parameter, setting.value)));
  }
}

void call_malloc_info() {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* stream = open_memstream(&text, &size);
  const int status = malloc_info(0, stream);
  std::fclose(stream);
  const std::string xml(text, size);
  std::free(text);
  print("malloc_info(0)", std::to_string(status));
  print("malloc_info(0) begins", xml.substr(0, 15));
  print("malloc_info(0) ends", yes_or_no(xml.ends_with("</malloc>\n")));
  stream = open_memstream(&text, &size);
  print("malloc_info(1)", errno_name(malloc_info(1, stream)));
  std::fclose(stream);
  std::free(text);
}

void call_malloc_trim() {
  for (const size_t pad : {size_t{0}, size_t{1} << 20, SIZE_MAX}) {
    const int trimmed = malloc_trim(pad);
    print("malloc_trim(" + spelled(pad) + ")", trimmed == 0 || trimmed == 1 ? "0 or 1" : "OTHER");
  }
}

void call_usable_size() {
  print("malloc_usable_size(NULL)",
        std::to_string(malloc_usable_size(hidden(static_cast<void*>(nullptr)))));
  bool exact = true;
  for (size_t size = 0; size < 100000; size = size * 9 / 8 + 1) {
    void* block = std::malloc(hidden(size));
    exact = exact && malloc_usable_size(hidden(block)) == size;
    std::free(block);
  }
  print("malloc_usable_size(malloc(n)) is always n", yes_or_no(exact));
}

void call_heap_of_libc() {
  std::ifstream maps("/proc/self/maps");
  bool found = false;
  for (std::string line; std::getline(maps, line);) found = found || line.ends_with("[heap]");
  print("libc's own heap is in use", yes_or_no(found));
}

}  // namespace

void call_statistics() {
  call_mallinfo();
  call_mallopt();
  call_malloc_info();
  call_malloc_trim();
  call_usable_size();
  call_heap_of_libc();
  malloc_stats();  // writes to stderr, each allocator its own text
}

}  // namespace gabion::testing
