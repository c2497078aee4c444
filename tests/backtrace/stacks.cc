#include "tests/backtrace/stacks.h"

#include <span>

namespace gabion::backtrace {
namespace {

[[gnu::noinline]] void slow_path(Record& to, size_t room, Rules rules, CallSite site) {
  to.count = capture(site, std::span(to.frames, room), rules);
}

}  // namespace

[[gnu::noinline]] void record(Record& to, size_t room, Rules rules) {
  slow_path(to, room, rules, GABION_CALL_SITE());
}

bool returns_into(const Record& record, const void* function, size_t size) {
  return position_of(record, function, size) >= 0;
}

int position_of(const Record& record, const void* function, size_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(function);
  for (size_t i = 0; i < record.count; ++i) {
    if (record.frames[i] > begin && record.frames[i] - begin <= size) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace gabion::backtrace
