#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "tests/api/semantics/calls.h"
#include "tests/api/semantics/observe.h"
#include "tests/api/semantics/sizes.h"

namespace gabion::testing {
namespace {

constexpr size_t kAlignment = 128;
constexpr size_t kSizes[] = {0, 1, 24, 100, 1000, 5000, 70000, (1 << 20) + 5, 40 << 20};
constexpr auto kAlign = std::align_val_t{kAlignment};

struct New {
  const char* name;
  void* (*call)(size_t size);
  bool array;
  bool aligned;
  bool throws;
};

const New kNews[] = {
    {"new", [](size_t n) { return ::operator new(n); }, false, false, true},
    {"new[]", [](size_t n) { return ::operator new[](n); }, true, false, true},
    {"new nothrow", [](size_t n) { return ::operator new(n, std::nothrow); }, false, false, false},
    {"new[] nothrow", [](size_t n) { return ::operator new[](n, std::nothrow); }, true, false,
     false},
    {"new aligned", [](size_t n) { return ::operator new(n, kAlign); }, false, true, true},
    {"new[] aligned", [](size_t n) { return ::operator new[](n, kAlign); }, true, true, true},
    {"new aligned nothrow", [](size_t n) { return ::operator new(n, kAlign, std::nothrow); }, false,
     true, false},
    {"new[] aligned nothrow", [](size_t n) { return ::operator new[](n, kAlign, std::nothrow); },
     true, true, false},
};

struct Delete {
  const char* name;
  void (*call)(void* block, size_t size);
  bool array;
  bool aligned;
};

const Delete kDeletes[] = {
    {"delete", [](void* p, size_t) { ::operator delete(p); }, false, false},
    {"delete sized", [](void* p, size_t n) { ::operator delete(p, n); }, false, false},
    {"delete nothrow", [](void* p, size_t) { ::operator delete(p, std::nothrow); }, false, false},
    {"delete[]", [](void* p, size_t) { ::operator delete[](p); }, true, false},
    {"delete[] sized", [](void* p, size_t n) { ::operator delete[](p, n); }, true, false},
    {"delete[] nothrow", [](void* p, size_t) { ::operator delete[](p, std::nothrow); }, true,
     false},
    {"delete aligned", [](void* p, size_t) { ::operator delete(p, kAlign); }, false, true},
    {"delete aligned sized", [](void* p, size_t n) { ::operator delete(p, n, kAlign); }, false,
     true},
    {"delete aligned nothrow", [](void* p, size_t) { ::operator delete(p, kAlign, std::nothrow); },
     false, true},
    {"delete[] aligned", [](void* p, size_t) { ::operator delete[](p, kAlign); }, true, true},
    {"delete[] aligned sized", [](void* p, size_t n) { ::operator delete[](p, n, kAlign); }, true,
     true},
    {"delete[] aligned nothrow",
     [](void* p, size_t) { ::operator delete[](p, kAlign, std::nothrow); }, true, true},
};

// "block…", "null", or the name of what was thrown.
template <typename Call>
std::string outcome(Call call) {
  try {
    return call();
  } catch (const std::bad_array_new_length&) {
    return "bad_array_new_length";
  } catch (const std::bad_alloc&) {
    return "bad_alloc";
  } catch (int number) {
    return "threw " + std::to_string(number);
  }
}

void call_pair(const New& form, const Delete& release, size_t size) {
  const size_t alignment = form.aligned ? kAlignment : 16;
  print(std::string(form.name) + " " + spelled(size) + ", " + release.name, outcome([&] {
          const Seen seen = observe([&] { return form.call(hidden(size)); });
          std::string text = judged(seen, {.size = size, .alignment = alignment});
          errno = kErrnoBefore;
          release.call(hidden(seen.result), size);
          return text + ", delete: errno " + errno_name(errno);
        }));
}

std::string failing(const New& form, size_t size) {
  return outcome([&] {
    void* block = form.call(hidden(size));
    std::free(block);
    return std::string(block == nullptr ? "null" : "block");
  });
}

int handler_calls = 0;

void give_up_at_third_call() {
  if (++handler_calls == 3) std::set_new_handler(nullptr);
}

void throw_at_second_call() {
  if (++handler_calls == 2) throw 42;
}

void throw_bad_alloc() {
  ++handler_calls;
  throw std::bad_alloc();
}

void call_with_handler(const New& form, const char* name, std::new_handler handler) {
  handler_calls = 0;
  std::set_new_handler(handler);
  const std::string result = failing(form, kMaximum);
  std::set_new_handler(nullptr);
  print(std::string(form.name) + " PTRDIFF_MAX, handler that " + name,
        result + ", " + std::to_string(handler_calls) + " calls");
}

// The length of a new expression overflows before operator new is called.
void call_array_lengths() {
  for (const size_t length : {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8, SIZE_MAX / 8 + 2}) {
    print("new long[" + std::to_string(length) + "]", outcome([&] {
            long* numbers = new long[hidden(length)];
            delete[] hidden(numbers);
            return std::string("block");
          }));
  }
}

void call_delete_null() {
  for (const Delete& release : kDeletes) {
    errno = kErrnoBefore;
    release.call(hidden(static_cast<void*>(nullptr)), 10);
    print(std::string(release.name) + " NULL", "errno " + errno_name(errno));
  }
}

}  // namespace

void call_cxx() {
  for (const New& form : kNews) {
    for (const Delete& release : kDeletes) {
      if (form.array != release.array || form.aligned != release.aligned) continue;
      for (const size_t size : kSizes) {
        call_pair(form, release, size);
      }
    }
    for (const size_t size : kImpossibleSizes) {
      // libstdc++ rounds the size up to the alignment first, and wraps around.
      if (form.aligned && SIZE_MAX - size < kAlignment) continue;
      print(std::string(form.name) + " " + spelled(size), failing(form, size));
    }
    call_with_handler(form, "gives up at the third call", give_up_at_third_call);
    call_with_handler(form, "throws 42 at the second call",
                      form.throws ? throw_at_second_call : throw_bad_alloc);
    call_with_handler(form, "throws bad_alloc", throw_bad_alloc);
  }
  call_array_lengths();
  call_delete_null();
}

}  // namespace gabion::testing
