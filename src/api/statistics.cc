// glibc's statistics and tuning functions, answered from Gabion's heap. A heap without brk or
// arenas has no exact equivalent of some fields; each takes the nearest number that adds up as
// glibc's do: arena + hblkhd is all that was taken from the system, and uordblks + fordblks is
// arena.

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>

#include <algorithm>

#include "src/api/entry.h"
#include "src/base/text.h"
#include "src/heap/heap.h"
#include "src/os/process.h"

namespace gabion::api {
namespace {

struct Totals {
  size_t small_taken;   // bytes taken from the system for all but large blocks
  size_t small_in_use;  // bytes of blocks handed out there
  size_t small_free;
  heap::Statistics heap;
};

// The counters are read one by one while other threads work, so a difference may come out negative.
size_t difference(size_t whole, size_t part) { return whole - std::min(whole, part); }

Totals totals() {
  const heap::Statistics heap = heap::statistics();
  const size_t taken = difference(heap.mapped, heap.large_in_use);
  const size_t in_use = std::min(heap.small_in_use, taken);
  return {.small_taken = taken, .small_in_use = in_use, .small_free = taken - in_use, .heap = heap};
}

struct mallinfo2 info() {
  const Totals t = totals();
  return {.arena = t.small_taken,
          .ordblks = 0,  // free blocks are counted in bytes only
          .smblks = 0,
          .hblks = t.heap.large_count,
          .hblkhd = t.heap.large_in_use,
          .usmblks = 0,  // glibc: always 0
          .fsmblks = t.heap.cached,
          .uordblks = t.small_in_use,
          .fordblks = t.small_free,
          .keepcost = t.heap.dirty};
}

int saturated(size_t value) { return static_cast<int>(std::min<size_t>(value, INT_MAX)); }

// A line `<name type="type" size="size"/>`, with a count if there is one.
struct Element {
  const char* name;
  const char* type;
  size_t size;
  const size_t* count = nullptr;
};

base::Text& operator<<(base::Text& text, const Element& element) {
  text << '<' << element.name << " type=\"" << element.type << '"';
  if (element.count != nullptr) text << " count=\"" << *element.count << '"';
  return text << " size=\"" << element.size << "\"/>\n";
}

void write_sums(base::Text& text, const Totals& t) {
  const size_t none = 0;
  text << Element{"total", "fast", t.heap.cached, &none}
       << Element{"total", "rest", t.small_free, &none};
}

void write_system(base::Text& text, const Totals& t) {
  text << Element{"system", "current", t.small_taken}
       << Element{"system", "max", t.heap.peak_mapped} << Element{"aspace", "total", t.small_taken}
       << Element{"aspace", "mprotect", t.small_taken};
}

}  // namespace
}  // namespace gabion::api

using namespace gabion::api;

extern "C" {

// glibc manual, "Statistics for Memory Allocation with malloc".
GABION_ENTRY struct mallinfo2 mallinfo2() noexcept { return info(); }

// Its fields are ints; where the truth does not fit they hold the largest.
GABION_ENTRY struct mallinfo mallinfo() noexcept {
  const struct mallinfo2 wide = info();
  return {.arena = saturated(wide.arena),
          .ordblks = saturated(wide.ordblks),
          .smblks = saturated(wide.smblks),
          .hblks = saturated(wide.hblks),
          .hblkhd = saturated(wide.hblkhd),
          .usmblks = saturated(wide.usmblks),
          .fsmblks = saturated(wide.fsmblks),
          .uordblks = saturated(wide.uordblks),
          .fordblks = saturated(wide.fordblks),
          .keepcost = saturated(wide.keepcost)};
}

// mallopt(3): 1 is success, and what an unknown parameter gets. None has an effect here. glibc
// refuses one value only, a limit for fast bins that it cannot have.
GABION_ENTRY int mallopt(int parameter, int value) noexcept {
  constexpr int kLargestFastLimit = 80 * sizeof(size_t) / 4;
  const bool refused = parameter == M_MXFAST && (value < 0 || value > kLargestFastLimit);
  return refused ? 0 : 1;
}

// malloc_trim(3): 1 if any memory went back to the system. There is no top of the heap to pad.
GABION_ENTRY int malloc_trim(size_t) noexcept { return gabion::heap::trim() ? 1 : 0; }

// malloc_info(3): no options exist. All heaps are shown as one.
GABION_ENTRY int malloc_info(int options, FILE* stream) noexcept {
  if (options != 0) return EINVAL;
  const Totals t = totals();
  gabion::base::FixedText<2048> text;
  text << "<malloc version=\"1\">\n<heap nr=\"0\">\n<sizes>\n</sizes>\n";
  write_sums(text, t);
  write_system(text, t);
  text << "</heap>\n";
  write_sums(text, t);
  text << Element{"total", "mmap", t.heap.large_in_use, &t.heap.large_count};
  write_system(text, t);
  text << "</malloc>\n";
  fwrite(text.view().data(), 1, text.size(), stream);  // as in glibc, ferror() tells of a failure
  return 0;
}

// malloc_stats(3): to standard error. It bypasses the stream, whose lock and buffer are libc's.
GABION_ENTRY void malloc_stats() noexcept {
  const Totals t = totals();
  gabion::base::FixedText<1024> text;
  text << "Gabion (" << kProfile.name << "), bytes:\n"
       << "mapped           = " << t.heap.mapped << '\n'
       << "mapped at most   = " << t.heap.peak_mapped << '\n'
       << "resident at most = " << t.heap.resident << '\n'
       << "small in use     = " << t.heap.small_in_use << '\n'
       << "large in use     = " << t.heap.large_in_use << " in " << t.heap.large_count
       << " blocks\n"
       << "thread caches    = " << t.heap.cached << " in " << t.heap.heaps << " heaps\n"
       << "free, not purged = " << t.heap.dirty << '\n'
       << "metadata         = " << t.heap.metadata << '\n';
  gabion::os::write_all(2, text.view());
}

}  // extern "C"
