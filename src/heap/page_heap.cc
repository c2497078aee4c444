#include "src/heap/page_heap.h"

#include <algorithm>
#include <atomic>

#include "src/base/list.h"
#include "src/heap/invariant.h"
#include "src/heap/range.h"
#include "src/heap/run_bins.h"
#include "src/os/memory.h"
#include "src/os/process.h"

namespace gabion::heap {
namespace {

// Runs given back in one round: bounds how much is out of the lists at once.
constexpr size_t kPurgeBatch = 32;

struct ByAge {
  static base::ListLink<Span>& of(Span& span) { return span.free.by_age; }
};
using AgeList = base::List<Span, ByAge>;

struct State {
  os::Mutex lock{os::LockRank::kPageHeap};
  RunBins bins;
  AgeList by_age;  // of runs with dirty pages, the oldest first (see age_at)
  size_t free_pages = 0;
  size_t dirty_pages = 0;
};
constinit State heap;
constinit std::atomic<uint32_t> decay_milliseconds{1000};
constinit std::atomic<uint32_t> last_decay{0};
constinit std::atomic<bool> purging{false};

// The clock is read before the lock is taken, never under it: another preloaded library may have
// wrapped it, and allocate. So a run may be younger than `now`, and runs out of order, by the time
// that a thread waited between the two.
uint32_t age_at(uint32_t now, uint32_t since) {
  const uint32_t age = now - since;
  return age < uint32_t{1} << 31 ? age : 0;
}

PageWord free_word(bool dirty) {
  return PageWord::of(dirty ? PageState::kFreeDirty : PageState::kFreeClean);
}

void set_words(PageId first, PageCount pages, PageWord word) {
  for (uint32_t i = 0; i < pages.value; ++i) set_page_word(first + PageCount{i}, word);
}

PageId last_of(PageId first, PageCount pages) { return first + pages - PageCount{1}; }

uint32_t count_dirty(PageId first, PageCount pages) {
  uint32_t dirty = 0;
  for (uint32_t i = 0; i < pages.value; ++i) {
    dirty += page_word(first + PageCount{i}).state() == PageState::kFreeDirty;
  }
  return dirty;
}

struct Age {
  uint32_t since = 0;
  Span* before = nullptr;  // where in the list by age; nullptr: as the youngest
};

// The run's words say free already; its neighbours are not looked at.
void enlist(PageId first, PageCount pages, uint32_t dirty, Age age) {
  Span& span = span_at(first);
  span.pages = pages;
  span_at(last_of(first, pages)).pages = pages;
  span.free = {.dirty_pages = dirty, .since = age.since, .same_length = {}, .by_age = {}};
  heap.bins.insert(span);
  heap.free_pages += pages.value;
  if (dirty == 0) return;
  heap.dirty_pages += dirty;
  heap.by_age.insert_before(age.before, &span);
}

// Returns what would put another run in its place by age.
Age delist(Span& span) {
  heap.bins.remove(span);
  heap.free_pages -= span.pages.value;
  if (span.free.dirty_pages == 0) return {};
  const Age age{span.free.since, AgeList::next(&span)};
  heap.dirty_pages -= span.free.dirty_pages;
  heap.by_age.remove(&span);
  return age;
}

Span* free_run_before(PageId first) {
  if (first.value == 0 || !page_word(first - PageCount{1}).is_free()) return nullptr;
  return &span_at(first - span_at(first - PageCount{1}).pages);
}

Span* free_run_at(PageId first) {
  return first < frontier() && page_word(first).is_free() ? &span_at(first) : nullptr;
}

// Enlists a run whose words say free, merged with the free runs before and behind it. The whole
// takes the age of its oldest dirty part, or else a run that grows often would never be given back.
void enlist_merged(PageId first, PageCount pages, uint32_t dirty, uint32_t now) {
  Span* older = free_run_before(first);
  Span* younger = free_run_at(first + pages);
  if (older != nullptr) {
    first = page_of(*older);
    pages = pages + older->pages;
  }
  if (younger != nullptr) pages = pages + younger->pages;

  auto dirty_age = [now](const Span* span) {
    return span == nullptr || span->free.dirty_pages == 0 ? 0 : age_at(now, span->free.since);
  };
  if (older == nullptr || (younger != nullptr && dirty_age(younger) > dirty_age(older))) {
    Span* swap = older;
    older = younger;
    younger = swap;
  }
  // The older one goes last: its place by age must not name a run that leaves the list.
  Age age{now, nullptr};
  for (Span* neighbour : {younger, older}) {
    if (neighbour == nullptr) continue;
    dirty += neighbour->free.dirty_pages;
    const bool was_dirty = neighbour->free.dirty_pages != 0;
    const Age place = delist(*neighbour);
    if (was_dirty) age = place;
  }
  enlist(first, pages, dirty, age);
}

// Takes [first, first + pages) out of the free run `span`; what is before and behind stays free.
// Costs what the taken part costs, however long the run is.
Run carve(Span& span, PageId first, PageCount pages) {
  const PageId run = page_of(span);
  const PageCount before = first - run;
  const PageCount behind = span.pages - before - pages;
  uint32_t dirty = span.free.dirty_pages;
  const Age age = delist(span);

  uint32_t dirty_before = 0;
  if (before.value != 0) {
    dirty_before = dirty == 0 ? 0 : count_dirty(run, before);
    enlist(run, before, dirty_before, age);
  }
  const uint32_t dirty_taken = dirty == 0 ? 0 : count_dirty(first, pages);
  set_words(first, pages, PageWord::of(PageState::kBusy));
  dirty -= dirty_before + dirty_taken;
  if (behind.value != 0) enlist(first + pages, behind, dirty, age);
  return {first, pages, dirty_taken == 0};
}

// More pages from the kernel, merged with a free run at the old frontier.
bool grow(PageCount wanted, bool contiguous) {
  const Growth growth = grow_range(wanted, contiguous);
  if (growth.pages.value == 0) return false;
  set_words(growth.first, growth.pages, free_word(false));
  enlist_merged(growth.first, growth.pages, 0, 0);  // clean: it has no age
  return true;
}

PageCount free_at_frontier() {
  const PageId end = frontier();
  const Span* span = free_run_before(end);
  return span == nullptr ? PageCount{} : span->pages;
}

PageId align_page(PageId page, PageCount alignment) {
  const uintptr_t address =
      base::align_up(base::address_of(page_address(page)), uintptr_t{alignment.bytes()});
  return page_of(base::pointer_at(address));
}

Span* find_or_grow(PageCount pages) {
  if (Span* span = heap.bins.find(pages)) return span;
  // The free run at the frontier counts, unless the growth had to leave a gap.
  const PageCount there = free_at_frontier();
  if (there < pages && grow(pages - there, false)) {
    if (Span* span = heap.bins.find(pages)) return span;
  }
  // A run of just this length may hide in a list that was not searched to its end, which matters
  // most when there is no more memory.
  grow(pages, false);
  return heap.bins.find_exhaustively(pages);
}

// What runs begin at multiples of, and are multiples of.
PageCount unit() { return PageCount::holding(os::page_size()); }

}  // namespace

PageCount run_length(PageCount pages) { return {base::align_up(pages.value, unit().value)}; }

Run allocate_run(PageCount pages, PageCount alignment) {
  if (pages > kMaxRun || alignment > kMaxRun) return {};
  pages = run_length(pages);
  alignment = std::max(alignment, unit());
  os::MutexLock guard(heap.lock);
  // Any run that is longer by the alignment holds an aligned one of the wanted length.
  Span* span = find_or_grow(pages + (alignment - unit()));
  if (span == nullptr) return {};
  const PageId first = align_page(page_of(*span), alignment);
  return carve(*span, first, pages);
}

void free_run(PageId first, PageCount pages, bool clean) {
  const uint32_t now = os::coarse_milliseconds();
  os::MutexLock guard(heap.lock);
  set_words(first, pages, free_word(!clean));
  enlist_merged(first, pages, clean ? 0 : pages.value, now);
}

Run extend_run(PageId end, PageCount more) {
  os::MutexLock guard(heap.lock);
  const Span* behind = free_run_at(end);
  const PageCount there = behind == nullptr ? PageCount{} : behind->pages;
  if (there < more) {
    // What is missing must be mapped right behind.
    if (end + there != frontier() || !grow(more - there, true)) return {};
  }
  return carve(span_at(end), end, more);
}

void set_page_decay(uint32_t milliseconds) {
  decay_milliseconds.store(milliseconds, std::memory_order_relaxed);
}

namespace {

struct PurgeItem {
  PageId first;
  PageCount pages;
};

// Takes the runs out whose dirty pages are older than `age`. While they are out, the words at
// their ends say busy, so that no neighbour merges with them.
size_t detach_old(PurgeItem (&items)[kPurgeBatch], uint32_t age) {
  const uint32_t now = os::coarse_milliseconds();
  os::MutexLock guard(heap.lock);
  size_t n = 0;
  for (Span* span; n < kPurgeBatch && (span = heap.by_age.front()) != nullptr &&
                   age_at(now, span->free.since) >= age;
       ++n) {
    items[n] = {page_of(*span), span->pages};
    delist(*span);
    set_page_word(items[n].first, PageWord::of(PageState::kBusy));
    set_page_word(last_of(items[n].first, items[n].pages), PageWord::of(PageState::kBusy));
  }
  return n;
}

bool purge_older_than(uint32_t age) {
  if (purging.exchange(true, std::memory_order_acquire)) return false;
  bool any = false;
  bool refused = false;
  size_t n;
  do {
    PurgeItem items[kPurgeBatch];
    bool clean[kPurgeBatch];
    n = detach_old(items, age);
    for (size_t i = 0; i < n; ++i) {
      clean[i] = os::decommit(page_address(items[i].first), items[i].pages.bytes());
      any |= clean[i];
      refused |= !clean[i];
    }
    const uint32_t then = os::coarse_milliseconds();
    os::MutexLock guard(heap.lock);
    for (size_t i = 0; i < n; ++i) {
      // Locked memory is not given back: all of it counts as dirty, and waits for the next time.
      set_words(items[i].first, items[i].pages, free_word(!clean[i]));
      enlist_merged(items[i].first, items[i].pages, clean[i] ? 0 : items[i].pages.value, then);
    }
  } while (n == kPurgeBatch && !refused);
  purging.store(false, std::memory_order_release);
  return any;
}

}  // namespace

void decay_pages() {
  const uint32_t age = decay_milliseconds.load(std::memory_order_relaxed);
  if (age == kNeverDecay) return;
  const uint32_t now = os::coarse_milliseconds();
  if (now - last_decay.load(std::memory_order_relaxed) < age / 8) return;
  last_decay.store(now, std::memory_order_relaxed);
  purge_older_than(age);
}

bool purge_pages() { return purge_older_than(0); }

PageStatistics page_statistics() {
  os::MutexLock guard(heap.lock);
  return {.mapped = mapped_bytes(),
          .free = heap.free_pages * kPageSize,
          .dirty = heap.dirty_pages * kPageSize,
          .metadata = metadata_bytes()};
}

void with_pages_fixed(void (*visit)(void* context), void* context) {
  os::MutexLock guard(heap.lock);
  visit(context);
}

os::Mutex& page_heap_lock() { return heap.lock; }

// A run that another thread was giving back when the process forked stays busy in the child.
void mend_page_heap_in_child() { purging.store(false, std::memory_order_relaxed); }

void check_page_heap() {
  os::MutexLock guard(heap.lock);
  size_t free_pages = 0;
  size_t dirty_pages = 0;
  bool previous_free = false;
  for (PageId page{0}; page < frontier();) {
    if (!page_word(page).is_free()) {
      previous_free = false;
      page = page + PageCount{1};
      continue;
    }
    const Span& span = span_at(page);
    invariant(!previous_free, "two free runs touch");
    invariant((page.value | span.pages.value) % unit().value == 0, "a part of a kernel's page");
    invariant(span_at(last_of(page, span.pages)).pages == span.pages, "a free run's ends differ");
    invariant(count_dirty(page, span.pages) == span.free.dirty_pages, "dirty pages miscounted");
    for (uint32_t i = 0; i < span.pages.value; ++i) {
      invariant(page_word(page + PageCount{i}).is_free(), "a used page in a free run");
    }
    invariant(heap.bins.holds(span), "a free run is not in its list");
    free_pages += span.pages.value;
    dirty_pages += span.free.dirty_pages;
    previous_free = true;
    page = page + span.pages;
  }
  invariant(free_pages == heap.free_pages, "free pages miscounted");
  invariant(dirty_pages == heap.dirty_pages, "dirty pages miscounted in all");
  for (const Span* span = heap.by_age.front(); span != nullptr; span = AgeList::next(span)) {
    invariant(span->free.dirty_pages != 0, "a clean run in the list by age");
  }
}

}  // namespace gabion::heap
