// Free runs by length: a list for each length up to 64 pages (1 MiB), then four a doubling, and a
// bitmap of the lists that hold any, so that the shortest fitting run is found in a few steps.
#ifndef GABION_HEAP_RUN_BINS_H_
#define GABION_HEAP_RUN_BINS_H_

#include <bit>
#include <cstdint>

#include "src/base/list.h"
#include "src/heap/span.h"

namespace gabion::heap {

class RunBins {
 public:
  static constexpr uint32_t kExact = 64;
  static constexpr unsigned kStepsPerDoublingOfPages = 4;
  static constexpr unsigned kBins =
      kExact + kStepsPerDoublingOfPages * (32 - base::floor_log2(kExact));

  // The list of runs of this length. Non-decreasing in `pages`.
  static constexpr unsigned bin_of(uint32_t pages) {
    if (pages <= kExact) return pages - 1;
    const unsigned doubling = base::floor_log2(pages);
    const unsigned step = pages >> (doubling - 2) & (kStepsPerDoublingOfPages - 1);
    return kExact + kStepsPerDoublingOfPages * (doubling - base::floor_log2(kExact)) + step;
  }

  // Dirty runs go to the front and are used first: their memory is there already.
  void insert(Span& span) {
    const unsigned bin = bin_of(span.pages.value);
    if (span.free.dirty_pages != 0) {
      lists_[bin].push_front(&span);
    } else {
      lists_[bin].push_back(&span);
    }
    nonempty_[bin / 64] |= uint64_t{1} << (bin % 64);
  }

  void remove(Span& span) {
    const unsigned bin = bin_of(span.pages.value);
    lists_[bin].remove(&span);
    if (lists_[bin].empty()) nonempty_[bin / 64] &= ~(uint64_t{1} << (bin % 64));
  }

  // A run of at least this length, nullptr if there is none.
  Span* find(PageCount pages) {
    const unsigned bin = bin_of(pages.value);
    // In its own list a run may be too short, unless the list has one length only.
    unsigned tries = kTriesInOwnBin;
    for (Span* span = lists_[bin].front(); span != nullptr && tries > 0;
         span = List::next(span), --tries) {
      if (span->pages >= pages) return span;
    }
    for (unsigned word = (bin + 1) / 64; word < kWords; ++word) {
      uint64_t bits = nonempty_[word];
      if (word == (bin + 1) / 64) bits &= ~uint64_t{0} << ((bin + 1) % 64);
      if (bits != 0) {
        return lists_[word * 64 + static_cast<unsigned>(std::countr_zero(bits))].front();
      }
    }
    return nullptr;
  }

  // The same, when the run is known to exist.
  Span* find_exhaustively(PageCount pages) {
    if (Span* span = find(pages)) return span;
    Span* span = lists_[bin_of(pages.value)].front();
    while (span != nullptr && span->pages < pages) span = List::next(span);
    return span;
  }

  bool holds(const Span& span) const {
    const Span* other = lists_[bin_of(span.pages.value)].front();
    while (other != nullptr && other != &span) other = List::next(other);
    return other != nullptr;
  }

 private:
  struct Link {
    static base::ListLink<Span>& of(Span& span) { return span.free.same_length; }
  };
  using List = base::List<Span, Link>;

  static constexpr unsigned kTriesInOwnBin = 16;
  static constexpr unsigned kWords = kBins / 64 + 1;

  List lists_[kBins];
  uint64_t nonempty_[kWords] = {};
};

}  // namespace gabion::heap

#endif  // GABION_HEAP_RUN_BINS_H_
