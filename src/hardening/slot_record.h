// What the layer knows of each slot, out of line in the heap's side bytes: the one truth for every
// check and report. A slot's record outlives its block, so that a second free is known as one.
//
// A record's life:   kUnused -> kLive -> kBusy -> kWaiting -> kFreed -> kLive -> …
//                                  ^------'
// kBusy: one thread is checking, filling or resizing it, and the memory may hold anything. Every
// change is one compare-exchange of the whole fact word (in debug), so of two threads that free one
// block at once exactly one succeeds, and a sweep that saw the same word before and after it looked
// at the memory looked at one and the same block.
#ifndef GABION_HARDENING_SLOT_RECORD_H_
#define GABION_HARDENING_SLOT_RECORD_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "src/backtrace/stack.h"
#include "src/base/bits.h"
#include "src/hardening/profile.h"
#include "src/heap/heap.h"
#include "src/report/bug.h"

namespace gabion::hardening {

enum class State : uint8_t {
  kUnused,   // never handed out
  kLive,     // the program's
  kBusy,     // changing hands
  kWaiting,  // freed by the program, in quarantine
  kFreed,    // back in the heap
};

// An alignment as the program gave it, or that it gave none (then it is 16).
class Alignment {
 public:
  constexpr Alignment() = default;
  // `bytes`: a power of two, or 0 for none given.
  static constexpr Alignment given_as(size_t bytes) {
    Alignment alignment;
    if (bytes != 0) alignment.code_ = static_cast<uint8_t>(base::floor_log2(bytes) + 1);
    return alignment;
  }
  static constexpr Alignment from_code(unsigned code) {
    Alignment alignment;
    alignment.code_ = static_cast<uint8_t>(code);
    return alignment;
  }

  constexpr bool given() const { return code_ != 0; }
  constexpr size_t bytes() const {
    return code_ == 0 ? heap::kMinAlignment : size_t{1} << (code_ - 1);
  }
  constexpr unsigned code() const { return code_; }  // fits in 6 bits
  constexpr bool operator==(const Alignment&) const = default;

 private:
  uint8_t code_ = 0;
};

struct Facts {
  State state = State::kUnused;
  report::AllocationKind kind = report::AllocationKind::kMalloc;
  Alignment alignment = {};
  uint8_t generation = 0;  // counts lives (debug), modulo 32
  size_t size = 0;         // as requested

  constexpr Facts in(State other) const {
    Facts facts = *this;
    facts.state = other;
    return facts;
  }
  constexpr bool operator==(const Facts&) const = default;
};

struct Event {
  backtrace::StackId stack = backtrace::kNoStack;
  uint32_t thread = 0;
};

// debug: 32 bytes. Everything.
class alignas(16) FullRecord {  // so that its words are aligned in the side bytes
 public:
  Facts facts(size_t /*slot_size*/) const { return unpack(word_.load(std::memory_order_acquire)); }

  bool change(const Facts& from, const Facts& to, size_t /*slot_size*/) {
    uint64_t expected = pack(from);
    return word_.compare_exchange_strong(expected, pack(to), std::memory_order_acq_rel,
                                         std::memory_order_acquire);
  }

  // A slot that the heap has just handed out belongs to this thread alone.
  void begin_life(const Facts& facts, Event allocated, size_t /*slot_size*/) {
    Facts next = facts;
    const Facts last = unpack(word_.load(std::memory_order_relaxed));
    next.generation = static_cast<uint8_t>((last.generation + 1) % 32);
    allocated_.store(allocated, std::memory_order_relaxed);
    freed_.store({}, std::memory_order_relaxed);
    word_.store(pack(next), std::memory_order_release);
  }

  // Another thread's report may read these while the record changes hands.
  Event allocated() const { return allocated_.load(std::memory_order_relaxed); }
  Event freed() const { return freed_.load(std::memory_order_relaxed); }
  void set_freed(Event event) { freed_.store(event, std::memory_order_relaxed); }

 private:
  static constexpr unsigned kSizeBits = 48;
  static_assert(heap::kMaxSize < uint64_t{1} << kSizeBits);

  static constexpr uint64_t pack(const Facts& facts) {
    return facts.size | uint64_t{static_cast<uint8_t>(facts.state)} << kSizeBits |
           uint64_t{static_cast<uint8_t>(facts.kind)} << (kSizeBits + 3) |
           uint64_t{facts.alignment.code()} << (kSizeBits + 5) |
           uint64_t{facts.generation} << (kSizeBits + 11);
  }
  static constexpr Facts unpack(uint64_t word) {
    return {.state = static_cast<State>(word >> kSizeBits & 7),
            .kind = static_cast<report::AllocationKind>(word >> (kSizeBits + 3) & 3),
            .alignment = Alignment::from_code(word >> (kSizeBits + 5) & 63),
            .generation = static_cast<uint8_t>(word >> (kSizeBits + 11)),
            .size = word & ((uint64_t{1} << kSizeBits) - 1)};
  }

  std::atomic<uint64_t> word_;
  std::atomic<Event> allocated_;
  std::atomic<Event> freed_;
};
static_assert(sizeof(FullRecord) == 32);

// hardened: 4 bytes. The size is kept as the slot's slack.
//
// A change is a load, a compare and a store: two frees of one block at the same moment may both
// pass, and then the second to leave the quarantine finds a record that no longer waits.
class StateRecord {
 public:
  // Slack that does not fit (2 MiB and more) is kept as the most that does: such a block counts as
  // larger than it was requested, and is checked behind that.
  static constexpr size_t kMaxSlack = (size_t{1} << 21) - 1;

  Facts facts(size_t slot_size) const {
    const uint32_t word = word_.load(std::memory_order_relaxed);
    const size_t slack = word >> 11;
    return {.state = static_cast<State>(word & 7),
            .kind = static_cast<report::AllocationKind>(word >> 3 & 3),
            .alignment = Alignment::from_code(word >> 5 & 63),
            .size = slot_size - std::min(slack, slot_size)};
  }

  bool change(const Facts& from, const Facts& to, size_t slot_size) {
    if (word_.load(std::memory_order_relaxed) != pack(from, slot_size)) return false;
    word_.store(pack(to, slot_size), std::memory_order_relaxed);
    return true;
  }

  void begin_life(const Facts& facts, Event, size_t slot_size) {
    word_.store(pack(facts, slot_size), std::memory_order_relaxed);
  }

  Event allocated() const { return {}; }
  Event freed() const { return {}; }
  void set_freed(Event) {}

 private:
  static constexpr uint32_t pack(const Facts& facts, size_t slot_size) {
    const size_t slack = std::min(slot_size - std::min(facts.size, slot_size), kMaxSlack);
    return static_cast<uint32_t>(static_cast<uint8_t>(facts.state)) |
           static_cast<uint32_t>(static_cast<uint8_t>(facts.kind)) << 3 |
           facts.alignment.code() << 5 | static_cast<uint32_t>(slack) << 11;
  }

  std::atomic<uint32_t> word_;
};
static_assert(sizeof(StateRecord) == 4);

using SlotRecord = std::conditional_t<kProfile.records == Records::kFull, FullRecord, StateRecord>;

inline constexpr size_t kSideBytes = kProfile.records == Records::kNone ? 0 : sizeof(SlotRecord);

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_SLOT_RECORD_H_
